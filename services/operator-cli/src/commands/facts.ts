import { mkdir } from 'node:fs/promises';
import { appendOperatorEvent } from '@verdict/db/accounts/operator-events.js';
import { withConnection } from '@verdict/db/database/with-connection.js';
import { archiveFacts } from '@verdict/db/facts/archive-facts.js';
import type { FactsManifest } from '@verdict/db/facts/facts-manifest.js';
import { listFacts } from '@verdict/db/facts/list-facts.js';
import { restoreFacts } from '@verdict/db/facts/restore-facts.js';
import type { Command } from 'commander';
import { databaseUrl } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';
import { beforeOption } from './period-option.js';

export function addFacts(program: Command, { output }: Context): void {
  const facts = program.command('facts').description('archive and restore the stored checks of old months');

  facts
    .command('list')
    .description('list months with the size of their checks, and those that are archived')
    .action(async () => output().rows(await withDatabase(listFacts), 'No checks are stored.'));

  facts
    .command('archive')
    .description(
      'write the checks of old, reconciled months to files and drop them; needs the owner of the tables',
    )
    .addOption(beforeOption('archive the months before this one').makeOptionMandatory())
    .requiredOption('--to <folder>', 'folder of the files')
    .action(async ({ before, to }: { before: string; to: string }) => {
      await mkdir(to, { recursive: true, mode: 0o700 });
      const months = (await withDatabase(listFacts)).filter(
        ({ month, archived_at, bytes }) => month < before && archived_at === null && bytes > 0,
      );
      const done: FactsManifest[] = [];
      for (const { month } of months) {
        const manifest = await withConnection(databaseUrl(), (client) => archiveFacts(client, month, to));
        await record('facts.archived', manifest);
        done.push(manifest);
      }
      output().rows(done.map(shown), `No month before ${before} has checks in the database.`);
    });

  facts
    .command('restore <manifest>')
    .description('bring an archived month back from its file; needs the owner of the tables')
    .action(async (path: string) => {
      const manifest = await withConnection(databaseUrl(), (client) => restoreFacts(client, path));
      await record('facts.restored', manifest);
      output().rows([shown(manifest)], '');
    });
}

const shown = ({ month, rows, bytes, file, sha256 }: FactsManifest) => ({ month, rows, bytes, file, sha256 });

const record = (action: string, { month, rows, sha256 }: FactsManifest): Promise<unknown> =>
  withDatabase((db) => appendOperatorEvent(db, operatorAudit(action, month, { rows, sha256 })));

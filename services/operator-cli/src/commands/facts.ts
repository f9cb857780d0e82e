import { mkdir } from 'node:fs/promises';
import { appendOperatorEvent } from '@verdict/db/accounts/operator-events.js';
import { withConnection } from '@verdict/db/database/with-connection.js';
import { type ArchivedMonth, archiveFacts } from '@verdict/db/facts/archive-facts.js';
import { checksumOfDays } from '@verdict/db/facts/facts-manifest.js';
import type { FactsValue } from '@verdict/db/facts/facts-row.js';
import { findArchivedCheck } from '@verdict/db/facts/find-archived-check.js';
import { findStoredCheck } from '@verdict/db/facts/find-stored-check.js';
import { listFacts } from '@verdict/db/facts/list-facts.js';
import { restoreFacts } from '@verdict/db/facts/restore-facts.js';
import { monthBounds } from '@verdict/domain/month.js';
import type { Command } from 'commander';
import { databaseUrl } from '../config.js';
import { withDatabase, withMetering } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';
import { queryFacts } from '../query-facts.js';
import { beforeOption, readMonth } from './period-option.js';

export function addFacts(program: Command, { output }: Context): void {
  const facts = program
    .command('facts')
    .description('archive, query and restore the stored checks of old months');

  facts
    .command('list')
    .description('list months with the size of their checks, and those that are archived')
    .action(async () => output().rows(await withDatabase(listFacts), 'No checks are stored.'));

  facts
    .command('archive')
    .description(
      'write the checks of old, reconciled months to files, one a day, and drop them; needs the owner of the tables, and Redis',
    )
    .addOption(beforeOption('archive the months before this one').makeOptionMandatory())
    .requiredOption('--to <folder>', 'folder of the files')
    .action(async ({ before, to }: { before: string; to: string }) => {
      await mkdir(to, { recursive: true, mode: 0o700 });
      const months = (await withDatabase(listFacts)).filter(
        ({ month, archived_at, bytes }) => month < before && archived_at === null && bytes > 0,
      );
      const { pendingSince } = await import('@verdict/metering/pending-of-month.js');
      const done: ArchivedMonth[] = [];
      for (const { month } of months) {
        const end = monthBounds(before).start;
        const since = await withMetering(pendingSince);
        const archived = await withConnection(databaseUrl(), (client) =>
          archiveFacts(client, { month, before: end, folder: to, pendingSince: since }),
        );
        if (archived.kept === null) await record('facts.archived', archived);
        done.push(archived);
      }
      output().rows(
        done.map(({ written, kept, ...rest }) => ({ ...rest, days_written: written.length, kept })),
        `No month before ${before} has checks in the database.`,
      );
    });

  facts
    .command('show <id>')
    .description('show one stored check, from the files or from the database')
    .option('--from <folder>', 'folder of the files')
    .action(async (id: string, { from }: { from?: string }) => {
      // The files first: where they are, the database may be far away.
      const archived = from === undefined ? null : await findArchivedCheck(from, id);
      const check =
        archived ?? (await withConnection(databaseUrl(), (client) => findStoredCheck(client, id)));
      if (!check)
        throw new Error(`${from === undefined ? '' : `no file in ${from} and `}no row holds the check ${id}`);
      output().document(check, Object.entries(check).map(lineOf).join(''));
    });

  facts
    .command('query <sql>')
    .description('answer SQL over the view `facts`, all archived checks, with duckdb')
    .requiredOption('--from <folder>', 'folder of the files, or an address that duckdb reads')
    .action(async (sql: string, { from }: { from: string }) => {
      const { json = false } = program.opts<{ json?: boolean }>();
      await queryFacts({ sql, folder: from, json }, (text) => output().text(text));
    });

  facts
    .command('restore <month>')
    .description('bring an archived month (YYYY-MM) back from its files; needs the owner of the tables')
    .requiredOption('--from <folder>', 'folder of the files')
    .action(async (text: string, { from }: { from: string }) => {
      const month = readMonth(text);
      const manifests = await withConnection(databaseUrl(), (client) => restoreFacts(client, month, from));
      const rows = manifests.reduce((sum, each) => sum + each.rows, 0);
      const restored = { month, days: manifests.length, rows, sha256: checksumOfDays(manifests) };
      await record('facts.restored', restored);
      output().rows([restored], '');
    });
}

const lineOf = ([name, value]: [string, FactsValue]): string => `${name}: ${value ?? ''}\n`;

const record = (
  action: string,
  { month, rows, sha256 }: Pick<ArchivedMonth, 'month' | 'rows' | 'sha256'>,
): Promise<unknown> =>
  withDatabase((db) => appendOperatorEvent(db, operatorAudit(action, month, { rows, sha256 })));

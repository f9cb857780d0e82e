import { readFile } from 'node:fs/promises';
import { type ErasureLine, readErasureJournal } from '@verdict/db/erasure/erasure-journal.js';
import { reapplyErasures } from '@verdict/metering/reapply-erasures.js';
import type { Command } from 'commander';
import { emailHashSecret } from '../config.js';
import { withDatabase, withMetering } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';

export function addErasures(program: Command, { output }: Context): void {
  const erasures = program
    .command('erasures')
    .description('export erasures, and repeat them after a restore');

  erasures
    .command('export')
    .description('print all erasures and deletions as JSON lines, without addresses')
    .action(async () => {
      for (const line of await withDatabase(readErasureJournal)) output().text(`${JSON.stringify(line)}\n`);
    });

  erasures
    .command('reapply <file>')
    .description('erase again what an exported file names; run it after a restore, before the services start')
    .action(async (file: string) => {
      const journal = parseJournal(await readFile(file, 'utf8'));
      const done = await withMetering((metering) =>
        reapplyErasures(metering, journal, emailHashSecret(), (account) =>
          operatorAudit('account.deleted', account, { reapplied: true }),
        ),
      );
      output().object({
        addresses: done.addresses,
        checks: done.checks,
        audit_records: done.auditRecords,
        accounts: done.accounts,
      });
    });
}

function parseJournal(text: string): ErasureLine[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, i) => {
    const read = parseLine(line);
    if (!read) throw new Error(`line ${i + 1} is not a line of verdict erasures export`);
    return read;
  });
}

function parseLine(line: string): ErasureLine | null {
  try {
    const read = JSON.parse(line) as Partial<ErasureLine>;
    if (typeof read.id !== 'string' || typeof read.at !== 'string') return null;
    if (read.kind === 'account') return read as ErasureLine;
    if (
      read.kind === 'address_of_account' &&
      (typeof read.account_id !== 'string' || !Array.isArray(read.file_hashes))
    )
      return null;
    return (read.kind === 'address' || read.kind === 'address_of_account') && Array.isArray(read.hashes)
      ? (read as ErasureLine)
      : null;
  } catch {
    return null;
  }
}

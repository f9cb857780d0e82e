import { readFileSync } from 'node:fs';
import type { OutcomesReply } from '@verdict/contracts/outcomes-api.js';
import { OUTCOMES_MAX } from '@verdict/domain/outcomes.js';
import type { Command } from 'commander';
import { parse } from 'csv-parse/sync';
import { callApi } from '../call-api.js';
import type { Context } from '../context.js';

/** Labels of a file, by a key of the account with the scope outcomes. */
export function addOutcomes(program: Command, context: Context): void {
  const outcomes = program.command('outcomes').description('say what became of checked people');
  outcomes
    .command('import <file>')
    .description(
      'record the rows of a CSV file with the columns id or email, outcome and note (VERDICT_URL, VERDICT_API_KEY); exits 1 if a row is refused',
    )
    .action((file: string) => importFile(context, file));
}

async function importFile({ output, fail }: Context, file: string): Promise<void> {
  const rows = readRows(file);
  const total = { rows: rows.length, recorded: 0, unchanged: 0, refused: 0 };
  const refused: { row: number; message: string }[] = [];
  for (let from = 0; from < rows.length; from += OUTCOMES_MAX) {
    const reply = await callApi<OutcomesReply>('outcomes/', {
      method: 'POST',
      json: { items: rows.slice(from, from + OUTCOMES_MAX) },
    });
    total.recorded += reply.recorded;
    total.unchanged += reply.unchanged;
    refused.push(...reply.errors.map(({ item, message }) => ({ row: from + item, message })));
  }
  total.refused = refused.length;
  const lines = refused.map(({ row, message }) => `row ${row}: ${message}\n`).join('');
  output().document(
    { ...total, errors: refused },
    `${lines}${total.recorded} recorded, ${total.unchanged} unchanged, ${total.refused} refused\n`,
  );
  if (refused.length > 0) fail();
}

/** Rows as items of the API; empty cells are left out, and so are other columns. */
function readRows(file: string): object[] {
  const rows = parse(readFileSync(file, 'utf8'), {
    columns: true,
    bom: true,
    skip_empty_lines: true,
    trim: true,
  }) as Record<string, string>[];
  const [first] = rows;
  if (!first || !('outcome' in first) || !('id' in first || 'email' in first))
    throw new Error(`${file}: needs a header with the columns id or email, and outcome`);
  return rows.map(({ id, email, outcome, note }) => ({
    ...(id ? { id } : email && { email }),
    outcome,
    ...(note && { note }),
  }));
}

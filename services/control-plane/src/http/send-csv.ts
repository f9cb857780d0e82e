import { Readable } from 'node:stream';
import type { Position } from '@verdict/db/database/is-before.js';
import { stringify } from 'csv-stringify';
import type { FastifyReply } from 'fastify';
import type { PageTurn } from './download-turns.js';

/**
 * Streams rows as CSV at the reader's pace: however many there are, only one page is in memory. Cells that a
 * spreadsheet would run as a formula are disarmed.
 */
export function sendCsv(
  reply: FastifyReply,
  fileName: string,
  columns: readonly string[],
  rows: AsyncIterable<object>,
): FastifyReply {
  const csv = stringify({
    header: true,
    columns: [...columns],
    escape_formulas: true,
    record_delimiter: 'windows',
  });
  const source = Readable.from(rows);
  source.once('error', (error) => csv.destroy(error));
  csv.once('close', () => source.destroy());
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(source.pipe(csv));
}

/** Reads a listing to its end, page after page. */
export async function* everyRow<Row extends { id: string; created_at: string }>(
  pageSize: number,
  read: (before: Position | null, countMax: number) => Promise<Row[]>,
  turn: PageTurn = (readPage) => readPage(),
): AsyncGenerator<Row> {
  let before: Position | null = null;
  for (;;) {
    const from: Position | null = before;
    const rows: Row[] = await turn(() => read(from, pageSize), from !== null);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    before = { createdAt: last.created_at, id: last.id };
  }
}

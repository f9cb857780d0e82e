import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { COLUMNS_MAX, ROW_CHARS_MAX } from '@verdict/contracts/jobs-api.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { CsvError, parse } from 'csv-parse';
import type { FileRow, FileRows } from './file-rows.js';
import { findDelimiter, LINE_ENDS, type Separation } from './find-delimiter.js';
import { findEmailColumn, otherEmailColumns } from './find-email-column.js';
import { noEmailColumn, unreadableFile } from './job-errors.js';

/**
 * Rows of a CSV file as it arrives, with unchanged cells. A file whose first row holds an address has no header and
 * gets column_1, column_2 and so on.
 */
export function readCsv(texts: AsyncGenerator<string>, wanted: string | undefined): FileRows {
  let delimiter = ',';
  let columns: string[] = [];
  let column = -1;
  let others: readonly number[] = [];

  async function* read(): AsyncGenerator<FileRow> {
    const { first, all } = await peekLine(texts);
    const separation = findDelimiter(first);
    delimiter = separation.delimiter;
    let isFirst = true;
    for await (const cells of records(all, separation)) {
      if (cells.length > COLUMNS_MAX) throw unreadableFile(`it has more than ${COLUMNS_MAX} columns`);
      if (isFirst) {
        isFirst = false;
        columns = cells;
        column = findEmailColumn(cells, wanted);
        others = wanted === undefined ? otherEmailColumns(cells, column) : [];
        if (column !== -1) continue;
        columns = cells.map((_, i) => `column_${i + 1}`);
        const address = cells.findIndex((cell) => parseEmail(cell).ok);
        if (address === -1) throw noEmailColumn(cells);
        column = wanted === undefined ? address : findEmailColumn(columns, wanted);
        if (column === -1) throw noEmailColumn(cells);
      }
      // A row that is wider than the header has columns without a name.
      while (columns.length < cells.length) columns.push('');
      yield { cells: JSON.stringify(cells), email: cells[column] };
    }
  }

  return {
    rows: read(),
    layout: () => ({ columns, column: column === -1 ? null : column, others, delimiter }),
  };
}

/** Reads up to the end of the first line, and gives it back together with all the rest. */
async function peekLine(texts: AsyncGenerator<string>) {
  let head = '';
  while (!/[\r\n]/.test(head) && head.length <= ROW_CHARS_MAX) {
    const next = await texts.next();
    if (next.done) break;
    head += next.value;
  }
  async function* all(): AsyncGenerator<string> {
    yield head;
    yield* texts;
  }
  return { first: /^[^\r\n]*/.exec(head)?.[0] ?? '', all: all() };
}

interface ReadRecord {
  readonly record: string[];
  /** The record as the file has it. */
  readonly raw: string;
  /** The line of the file at which the record ends. */
  readonly lines: number;
}

async function* records(
  texts: AsyncGenerator<string>,
  { delimiter, isTold }: Separation,
): AsyncGenerator<string[]> {
  let line = 0;
  /** Ahead of `line`: a parser that fails gives up the records that wait to be read. */
  let parsedTo = 0;
  const parser = parse({
    delimiter,
    raw: true,
    record_delimiter: LINE_ENDS,
    from: isTold ? 2 : 1,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: ROW_CHARS_MAX,
    // Cheaper than `info`, which copies more than this for each record.
    on_record: (record, { lines }) => {
      parsedTo = lines;
      return { ...record, lines };
    },
  });
  let failure: unknown;
  const feeding = pipeline(Readable.from(texts), parser).catch((error) => {
    failure = error;
  });
  try {
    for await (const { record, raw, lines } of parser as AsyncIterable<ReadRecord>) {
      if (record.some((cell) => isUnclosed(cell, raw))) throw unclosedQuote(line + 1);
      line = lines;
      yield record;
    }
  } catch (error) {
    await feeding;
    throw explained(failure ?? error, parsedTo + 1);
  }
  await feeding;
  if (failure) throw explained(failure, parsedTo + 1);
}

/**
 * True where the parser has kept an unclosed quote as text and read on over the ends of lines. A closed cell may look the
 * same once its doubled quotes are undone, so the file's own text decides.
 */
const isUnclosed = (cell: string, raw: string): boolean =>
  cell.startsWith('"') && /[\r\n]/.test(cell) && !raw.includes(`"${cell.replaceAll('"', '""')}"`);

const unclosedQuote = (line: number, cause?: unknown) =>
  unreadableFile(`the quote that opens at line ${line} is never closed`, cause);

/** `line`: where the row begins that could not be read. */
function explained(error: unknown, line: number): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return unclosedQuote(line, error);
  return unreadableFile(
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? `the row at line ${line} has more than ${ROW_CHARS_MAX} characters; check that its quotes are closed`
      : `its CSV is broken at line ${line}`,
    error,
  );
}

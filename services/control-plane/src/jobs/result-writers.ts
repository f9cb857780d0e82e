import {
  type JobFormat,
  type JobResult,
  RESULT_COLUMNS,
  type ResultColumn,
} from '@verdict/contracts/jobs-api.js';
import type { BulkResultRow } from '@verdict/db/bulk/bulk-results.js';

/** Said where a person has been erased since. */
const ERASED = 'erased';

/** Our columns, named so that none is called like one of the file's. */
export function ourColumns(columns: readonly string[]): Readonly<Record<ResultColumn, string>> {
  const taken = new Set(columns);
  return Object.fromEntries(
    RESULT_COLUMNS.map((column) => {
      let name: string = column;
      while (taken.has(name)) name = `verdict_${name}`;
      return [column, name];
    }),
  ) as Record<ResultColumn, string>;
}

type Ours = Omit<JobResult, 'row' | 'input'>;

function oursOf(row: BulkResultRow): Ours {
  const { decision, risk_score, disposable_email, mx_valid, free_provider, log_id } = row;
  return {
    decision,
    risk_score,
    disposable_email,
    mx_valid,
    free_provider,
    reasons: row.reasons ?? [],
    log_id,
    error: row.error ?? (row.cells === null ? ERASED : null),
  };
}

/** A row of a page of results. */
export const toJobResult = (row: BulkResultRow, columns: readonly string[]): JobResult => ({
  row: row.row,
  input: toObject(row.cells, columns),
  ...oursOf(row),
});

/** A row as one line of NDJSON: its own members as they were written, then ours under their names. */
export function toNdjson(
  row: BulkResultRow,
  columns: readonly string[],
  names: ReturnType<typeof ourColumns>,
): string {
  const values = oursOf(row);
  const ours = Object.fromEntries(RESULT_COLUMNS.map((column) => [names[column], values[column]]));
  const own = ownText(row.cells, columns);
  const inner = own.slice(1, -1).trim();
  return `{${inner}${inner === '' ? '' : ','}${JSON.stringify(ours).slice(1)}\n`;
}

/** A row as the cells of CSV: its own as they were, then ours; those are disarmed where a spreadsheet would run them. */
export function toCells(row: BulkResultRow, columns: readonly string[]): string[] {
  const ours = oursOf(row);
  const own = ownCells(row.cells, columns);
  while (own.length < columns.length) own.push('');
  return [
    ...own,
    ...RESULT_COLUMNS.map((column) => {
      const value = ours[column];
      return disarmed(Array.isArray(value) ? value.join('; ') : String(value ?? ''));
    }),
  ];
}

/** The header of a file that leaves as CSV. Cells that came as CSV stay as they were; those from JSON may hold formulas. */
export const headersOf = (format: JobFormat, columns: readonly string[]): readonly string[] =>
  format === 'csv' ? columns : columns.map(disarmed);

/** The beginnings that csv-stringify's escape_formulas takes for a formula. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const disarmed = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

function ownCells(cells: string | null, columns: readonly string[]): string[] {
  if (cells === null) return [];
  const value = JSON.parse(cells) as string[] | Record<string, unknown>;
  if (Array.isArray(value)) return value;
  return columns.map((column) => {
    const member = Object.hasOwn(value, column) ? value[column] : '';
    return disarmed(typeof member === 'string' ? member : JSON.stringify(member));
  });
}

/** The text of the object that a row is; cells are named by their columns, those without a name by their place. */
function ownText(cells: string | null, columns: readonly string[]): string {
  if (cells === null) return '{}';
  return cells.startsWith('{') ? cells : JSON.stringify(toObject(cells, columns));
}

function toObject(cells: string | null, columns: readonly string[]): Record<string, unknown> {
  if (cells === null) return {};
  const value = JSON.parse(cells) as string[] | Record<string, unknown>;
  if (!Array.isArray(value)) return value;
  const names = uniqueNames(columns);
  return Object.fromEntries(value.map((cell, i) => [names[i] ?? `column_${i + 1}`, cell]));
}

const named = new WeakMap<readonly string[], string[]>();

function uniqueNames(columns: readonly string[]): string[] {
  const known = named.get(columns);
  if (known) return known;
  const taken = new Set<string>();
  const names = columns.map((column, i) => {
    let name = column === '' ? `column_${i + 1}` : column;
    while (taken.has(name)) name = `${name}_${i + 1}`;
    taken.add(name);
    return name;
  });
  named.set(columns, names);
  return names;
}

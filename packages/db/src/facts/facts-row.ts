/** A stored check as a file holds it: the moment as text with microseconds, JSON as Postgres writes it. */
export type FactsRow = Readonly<Record<string, FactsValue>>;
export type FactsValue = string | number | null | readonly (string | number | null)[];

/** One row as COPY reads it. Equal rows are equal lines, so the lines are also what archive and database are compared by. */
export const csvLine = (row: FactsRow, names: readonly string[]): string =>
  `${names.map((name) => csvField(row[name] ?? null)).join(',')}\n`;

function csvField(value: FactsValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return quoted(typeof value === 'string' ? value : `{${value.map(element).join(',')}}`);
}

const element = (value: string | number | null): string =>
  typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : String(value);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

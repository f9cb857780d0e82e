export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Where a command says what it found: a table for people, JSON for programs. */
export interface Output {
  rows(rows: readonly Row[], whenNone: string): void;
  /** One object, as `name: value` lines or as JSON. */
  object(object: Row): void;
  text(text: string): void;
}

export function createOutput(json: boolean, write: (text: string) => void): Output {
  const line = (text: string) => write(`${text}\n`);
  return {
    rows(rows, whenNone) {
      if (json) line(JSON.stringify(rows, null, 2));
      else if (rows.length === 0) line(whenNone);
      else line(table(rows));
    },
    object(object) {
      if (json) line(JSON.stringify(object, null, 2));
      else for (const [name, value] of Object.entries(object)) line(`${name}: ${value ?? ''}`);
    },
    text: write,
  };
}

/** Columns as wide as their widest cell; numbers to the right. */
function table(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const isNumber = names.map((name) => typeof rows[0]?.[name] === 'number');
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

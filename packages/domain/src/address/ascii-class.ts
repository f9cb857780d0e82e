/** One byte per ASCII character, so that a parser asks one array instead of a chain of comparisons. */
export const ATEXT = 1;
/** Letter or digit of a host name. */
export const ALNUM = 2;
export const UPPER = 4;
export const DIGIT = 8;

export const asciiClass = buildTable();

function buildTable(): Uint8Array {
  const table = new Uint8Array(128);
  mark(table, 'abcdefghijklmnopqrstuvwxyz', ATEXT | ALNUM);
  mark(table, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', ATEXT | ALNUM | UPPER);
  mark(table, '0123456789', ATEXT | ALNUM | DIGIT);
  mark(table, "!#$%&'*+-/=?^_`{|}~", ATEXT);
  return table;
}

function mark(table: Uint8Array, characters: string, flags: number): void {
  for (let i = 0; i < characters.length; i++) table[characters.charCodeAt(i)] = flags;
}

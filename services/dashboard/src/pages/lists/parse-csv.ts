/** The rows of a CSV as RFC 4180 has it: quotes, doubled quotes, line breaks in quotes, either line ending. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  const endField = () => {
    row.push(field);
    field = '';
  };
  const endRow = () => {
    endField();
    if (row.some((cell) => cell.trim() !== '')) rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else quoted = false;
    } else if (character === '"' && field.trim() === '') {
      field = '';
      quoted = true;
    } else if (character === ',' || character === ';' || character === '\t') endField();
    else if (character === '\n') endRow();
    else if (character !== '\r') field += character;
  }
  endRow();
  return rows;
}

export interface ImportRow {
  readonly value: string;
  readonly note?: string;
}

/** An export puts a quote before what a spreadsheet would run as a formula. */
const plain = (cell = ''): string => cell.trim().replace(/^'(?=[=+\-@\t\r])/, '');

/** Entries to import: by the columns `value` and `note` where a head names them, else the first and the second. */
export function importRows(text: string): ImportRow[] {
  const rows = parseCsv(text.replace(/^\uFEFF/, ''));
  const head = rows[0]?.map((cell) => cell.trim().toLowerCase()) ?? [];
  const named = head.includes('value');
  const valueAt = named ? head.indexOf('value') : 0;
  const noteAt = named ? head.indexOf('note') : 1;
  return rows.slice(named ? 1 : 0).map((row) => {
    const note = plain(row[noteAt]);
    return { value: plain(row[valueAt]), ...(note ? { note } : {}) };
  });
}

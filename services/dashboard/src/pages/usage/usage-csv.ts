import type { Usage } from '../../api/usage.ts';

/** A cell that no spreadsheet takes for a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The rows that are on the page, as they came. */
export function usageCsv(usage: Usage, nameOf: (keyId: string) => string): string {
  const rows = usage.rows.map(({ at, key_id, decision, checks }) =>
    [at, key_id, cell(nameOf(key_id)), decision, checks].join(','),
  );
  return `${[`${usage.by},key_id,key_name,decision,checks`, ...rows].join('\r\n')}\r\n`;
}

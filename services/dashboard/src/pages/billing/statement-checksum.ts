import type { Statement } from '../../api/billing.ts';

/** As Postgres prints jsonb: shorter names first, equal lengths by their bytes; `, ` and `: ` between. */
function jsonbText(record: Readonly<Record<string, number>>): string {
  const entries = Object.entries(record)
    .map(([name, value]) => ({ name, value, bytes: new TextEncoder().encode(name) }))
    .sort((a, b) => a.bytes.length - b.bytes.length || compareBytes(a.bytes, b.bytes));
  return `{${entries.map(({ name, value }) => `${JSON.stringify(name)}: ${value}`).join(', ')}}`;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** The text whose SHA-256 the statement carries; docs/billing.md has the same in SQL. */
export const billedText = (statement: Statement, accountId: string): string =>
  [
    statement.month,
    accountId,
    statement.plan,
    statement.entitled,
    statement.used,
    statement.adjusted,
    statement.over,
    jsonbText(statement.by_decision),
    jsonbText(statement.by_key),
  ].join('\n');

/** In hex; null where the browser may not compute it. */
export async function statementChecksum(statement: Statement, accountId: string): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null;
  const text = new TextEncoder().encode(billedText(statement, accountId));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

import type { Statement } from '../../api/billing.ts';

type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** As Postgres prints jsonb: shorter names first, equal lengths by their bytes; `, ` and `: ` between. */
function jsonbText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .flatMap(([name, one]) =>
      one === undefined ? [] : [{ name, one, bytes: new TextEncoder().encode(name) }],
    )
    .sort((a, b) => a.bytes.length - b.bytes.length || compareBytes(a.bytes, b.bytes));
  return `{${entries.map(({ name, one }) => `${JSON.stringify(name)}: ${jsonbText(one)}`).join(', ')}}`;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** The texts whose SHA-256 a statement may carry: with its money, or of one closed before there were prices the counts alone. */
function billedTexts(statement: Statement, accountId: string): readonly string[] {
  const counts = [
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
  const { subtotal, tax_rate: rate, tax, total } = statement;
  const money = [
    jsonbText(statement.plans),
    statement.currency,
    jsonbText(statement.lines),
    subtotal,
    rate,
    tax,
    total,
  ];
  return [[counts, ...money].join('\n'), counts];
}

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether the figures give the checksum that stands beside them; null where the browser may not compute it. */
export async function isGenuine(statement: Statement, accountId: string): Promise<boolean | null> {
  if (!globalThis.crypto?.subtle) return null;
  const computed = await Promise.all(billedTexts(statement, accountId).map(sha256));
  return computed.includes(statement.checksum);
}

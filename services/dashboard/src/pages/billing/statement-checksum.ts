import { canonicalText } from '@verdict/contracts/canonical-text.js';
import type { Statement } from '../../api/billing.ts';

/** Whether the text of a statement says what the page shows. Those closed before November 2026 have a value a line. */
function saysTheSame(
  { text, checksum: _, closed_at: __, by_tag: tags, ...billed }: Statement,
  accountId: string,
): boolean {
  if (text.startsWith('{'))
    return text === canonicalText({ ...billed, ...(tags && { by_tag: tags }), account_id: accountId });
  const { month, plan, entitled, used, adjusted, over, subtotal, tax_rate: rate, tax, total } = billed;
  const counts = [month, accountId, plan, entitled, used, adjusted, over, ''].join('\n');
  return (
    text.startsWith(counts) && (total === 0 || text.endsWith(['', subtotal, rate, tax, total].join('\n')))
  );
}

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether the figures give the checksum that stands beside them; null where the browser may not compute it. */
export async function isGenuine(statement: Statement, accountId: string): Promise<boolean | null> {
  if (!globalThis.crypto?.subtle) return null;
  return saysTheSame(statement, accountId) && (await sha256(statement.text)) === statement.checksum;
}

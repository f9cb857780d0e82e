import { readBillingProfile } from '@verdict/db/billing/billing-profiles.js';
import { listInvoices } from '@verdict/db/billing/invoices.js';
import { statementsOfMonth } from '@verdict/db/billing/statement-reading.js';
import type { Database } from '@verdict/db/database/client.js';
import { monthBounds } from '@verdict/domain/month.js';
import { stripeMeterEvent } from '@verdict/invoicing/stripe-meter-event.js';

interface Exported {
  readonly text: string;
  readonly leftOut: readonly { readonly account: string; readonly why: string }[];
}

/** The statements of a month, one JSON document per line: whole, or as the meter events that Stripe takes. */
export async function exportStatements(
  db: Database,
  month: string,
  format: 'stripe' | 'jsonl',
): Promise<Exported> {
  const invoices = new Map(
    (await listInvoices(db, { month }))
      .filter(({ corrects }) => corrects === null)
      .map(({ account_id, number }) => [account_id, number]),
  );
  const lines: string[] = [];
  const leftOut: { account: string; why: string }[] = [];
  for (const statement of await statementsOfMonth(db, month)) {
    const profile = await readBillingProfile(db, statement.account_id);
    if (format === 'jsonl') {
      lines.push(
        JSON.stringify({
          ...statement,
          billing: profile,
          invoice: invoices.get(statement.account_id) ?? null,
        }),
      );
      continue;
    }
    const value = statement.used + statement.adjusted;
    if (value === 0) continue;
    if (profile.external_ref === null) {
      leftOut.push({
        account: statement.account_id,
        why: 'has no Stripe customer; see verdict accounts billing --ref',
      });
      continue;
    }
    const at = new Date(monthBounds(month).end.getTime() - 1000);
    lines.push(JSON.stringify(stripeMeterEvent({ customer: profile.external_ref, month, at, value })));
  }
  return { text: lines.map((line) => `${line}\n`).join(''), leftOut };
}

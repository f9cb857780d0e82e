import { readBillingProfile } from '@verdict/db/billing/billing-profiles.js';
import { listInvoices } from '@verdict/db/billing/invoices.js';
import { statementsOfMonth } from '@verdict/db/billing/statement-reading.js';
import { findUsageExport, noteUsageExport, type UsageExport } from '@verdict/db/billing/usage-exports.js';
import type { Database } from '@verdict/db/database/client.js';
import { type Month, monthBounds } from '@verdict/domain/month.js';
import { stripeMeterEvent } from '@verdict/invoicing/stripe-meter-event.js';

const DAY_MS = 86_400_000;
/** Stripe refuses events that are older than 35 days. */
const STRIPE_DAYS_MAX = 34;

const asLines = (documents: readonly unknown[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');

/** The statements of a month with their billing data and the number of their invoice, one JSON document a line. */
export async function exportStatements(db: Database, month: Month): Promise<string> {
  const invoices = new Map(
    (await listInvoices(db, { month }))
      .filter(({ corrects }) => corrects === null)
      .map(({ account_id, number }) => [account_id, number]),
  );
  const documents = [];
  for (const statement of await statementsOfMonth(db, month)) {
    const { account_id } = statement;
    const billing = await readBillingProfile(db, account_id);
    documents.push({ ...statement, billing, invoice: invoices.get(account_id) ?? null });
  }
  return asLines(documents);
}

interface StripeWish {
  readonly author: string;
  readonly now: Date;
  /** Although the month was exported before. */
  readonly again: boolean;
}

/** The checks of a month as the meter events that Stripe takes, noted so that a month is not billed twice by mistake. */
export async function exportForStripe(db: Database, month: Month, { author, now, again }: StripeWish) {
  const { end } = monthBounds(month);
  if (now.getTime() - end.getTime() > STRIPE_DAYS_MAX * DAY_MS) {
    throw new Error(
      `${month} ended more than ${STRIPE_DAYS_MAX} days ago; Stripe refuses events older than 35 days`,
    );
  }
  const before = await findUsageExport(db, 'stripe', month);
  if (before && !again) {
    const when = before.exportedAt.toISOString().slice(0, 16).replace('T', ' ');
    throw new Error(
      `${before.exportedBy} exported ${month} for Stripe on ${when} UTC; uploading it twice may bill it twice (--again to export it)`,
    );
  }
  const events = [];
  const exported: UsageExport[] = [];
  const leftOut = [];
  for (const { account_id: account, used, adjusted } of await statementsOfMonth(db, month)) {
    const value = used + adjusted;
    if (value === 0) continue;
    const { external_ref: customer } = await readBillingProfile(db, account);
    if (customer === null) {
      leftOut.push({ account, why: 'has no Stripe customer; see verdict accounts billing --ref' });
      continue;
    }
    const at = new Date(end.getTime() - 1000);
    events.push(stripeMeterEvent({ customer, account, month, at, value }));
    exported.push({ accountId: account, checks: value });
  }
  await noteUsageExport(db, 'stripe', month, author, exported);
  return { text: asLines(events), leftOut };
}

import { openMonths } from '@verdict/db/billing/billing-months.js';
import { readAccountMonths } from '@verdict/db/billing/close-month.js';
import {
  listUnissued,
  readInvoiceTerms,
  type UnissuedInvoice,
} from '@verdict/db/billing/unissued-invoices.js';
import type { Month } from '@verdict/domain/month.js';
import type { Plans } from '@verdict/domain/plans.js';
import { priceMonth } from '@verdict/domain/pricing/price-month.js';
import type { Metering } from './metering.js';
import { ACCOUNTS_PER_PAGE } from './month-end-pages.js';
import { unpricedPlan } from './unpriced-plan.js';

/**
 * The invoices that closing would issue, and those it would not, with the reason; writes nothing. They are of the closed
 * months and of the oldest open one, because each later month depends on the statements before it.
 */
export async function previewInvoices(
  { db }: Pick<Metering, 'db'>,
  plans: Plans,
  month?: Month,
): Promise<UnissuedInvoice[]> {
  const [next, ...later] = await openMonths(db);
  if (month !== undefined && later.includes(month)) {
    throw new Error(`${month} depends on ${next}, which is still open: preview or close ${next} first`);
  }
  const unissued = await listUnissued(db);
  const expected = next && (month ?? next) === next ? await priceOpenMonth(db, plans, next) : [];
  return [...unissued, ...expected].filter((invoice) => month === undefined || invoice.month === month);
}

async function priceOpenMonth(db: Metering['db'], plans: Plans, month: Month): Promise<UnissuedInvoice[]> {
  const unpriced = await unpricedPlan({ db }, plans, month);
  if (unpriced) throw new Error(`${month} cannot be priced: ${unpriced}`);
  const invoices: UnissuedInvoice[] = [];
  for await (const page of readAccountMonths(db, month, {
    after: '',
    limit: ACCOUNTS_PER_PAGE,
    open: true,
  })) {
    const bills = page
      .flatMap((account) => priceMonth(month, account, plans) ?? [])
      .filter(({ lines }) => lines.length > 0);
    const terms = await readInvoiceTerms(
      db,
      bills.map(({ account_id }) => account_id),
    );
    const termsOf = new Map(terms.map((one) => [one.account_id, one]));
    for (const { account_id, currency, subtotal, tax, total } of bills) {
      const known = termsOf.get(account_id);
      if (known) invoices.push({ ...known, month, currency, subtotal, tax, total });
    }
  }
  return invoices;
}

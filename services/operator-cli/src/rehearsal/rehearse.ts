import { addMonths, monthBounds } from '@verdict/domain/month.js';
import { closeMonths } from '@verdict/metering/close-months.js';
import { issueInvoices } from '@verdict/metering/issue-invoices.js';
import type { Metering } from '@verdict/metering/metering.js';
import { REHEARSAL_PLANS } from './rehearsal-plans.js';
import { seedAccounts, seedLateChecks, seedMonth } from './seed-rehearsal.js';

const MONTHS = [0, 1, 2] as const;

/** Rehearses three month ends from `firstMonth` on, in a separate database; returns the months. */
export async function rehearse(metering: Metering, firstMonth: string): Promise<string[]> {
  const { db } = metering;
  await seedAccounts(db, firstMonth);
  for (const index of MONTHS) {
    const month = addMonths(firstMonth, index);
    await seedMonth(db, month, index);
    const [closing] = await closeMonths(metering, { plans: REHEARSAL_PLANS, graceMs: 0, month });
    if (closing?.outcome !== 'closed')
      throw new Error(`${month} was not closed: ${closing?.reason ?? 'why?'}`);
    await issueInvoices(db, monthBounds(month).end);
    await seedLateChecks(db, month, index);
  }
  return MONTHS.map((index) => addMonths(firstMonth, index));
}

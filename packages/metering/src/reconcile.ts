import { rebuildUsage } from '@verdict/db/billing/billing-months.js';
import { forgedInvoices, overcreditedInvoices } from '@verdict/db/billing/invoices.js';
import {
  doubledChecks,
  forgedStatements,
  rollupDifferences,
  statementDifferences,
} from '@verdict/db/billing/usage-differences.js';
import type { Metering } from './metering.js';
import { counterDifferences, repairCounters } from './reconcile-counters.js';

/** One account for which two places that must agree do not. */
export interface Difference {
  readonly accountId: string;
  readonly month: string;
  /**
   * The fault: a log id with two rows, rollups against logs, a Redis counter below what is stored and queued, one above
   * it (checks that were answered and are nowhere), statement against rollups, its checksum, or an invoice (named instead
   * of an account) that was changed, is missing, or of which more was credited than charged.
   */
  readonly kind: 'double' | 'rollup' | 'counter' | 'loss' | 'statement' | 'checksum' | 'invoice' | 'credit';
  readonly expected: number;
  readonly found: number;
  readonly repaired: boolean;
}

/**
 * The repair: nothing; Redis counters that are too low; or, by an operator, what is billed and counters that are
 * too high. Rollups are corrected first: the counters follow them.
 */
export type Repair = 'nothing' | 'counters' | 'everything';

/** Compares logs, rollups, Redis counters and statements of a month. */
export async function reconcile(
  metering: Metering,
  month: string,
  repair: Repair = 'nothing',
): Promise<Difference[]> {
  const { db } = metering;
  const rollups = await rollupDifferences(db, month);
  const stillWrong = new Set(rollups.map(({ accountId }) => accountId));
  if (repair === 'everything' && rollups.length > 0) {
    await rebuildUsage(db, month);
    const left = new Set((await rollupDifferences(db, month)).map(({ accountId }) => accountId));
    for (const accountId of stillWrong) if (!left.has(accountId)) stillWrong.delete(accountId);
  }
  const counters = await counterDifferences(metering, month);
  const repairedCounters =
    repair === 'nothing'
      ? new Set<string>()
      : await repairCounters(metering, month, counters, {
          madeBy: repair === 'everything' ? 'operator' : 'worker',
          mayLower: repair === 'everything',
        });
  return [
    ...(await doubledChecks(db, month)).map((one) => ({
      ...one,
      month,
      kind: 'double' as const,
      repaired: false,
    })),
    ...rollups.map((one) => ({
      ...one,
      month,
      kind: 'rollup' as const,
      repaired: !stillWrong.has(one.accountId),
    })),
    ...counters.map((one) => ({
      ...one,
      month,
      kind: one.found > one.expected ? ('loss' as const) : ('counter' as const),
      repaired: repairedCounters.has(one.accountId),
    })),
    ...(await statementDifferences(db, month)).map((one) => ({
      ...one,
      month,
      kind: 'statement' as const,
      repaired: false,
    })),
    ...(await forgedStatements(db, month)).map((accountId) => ({
      accountId,
      month,
      kind: 'checksum' as const,
      expected: 0,
      found: 0,
      repaired: false,
    })),
    ...(await forgedInvoices(db)).map((number) => ({
      accountId: number,
      month,
      kind: 'invoice' as const,
      expected: 0,
      found: 0,
      repaired: false,
    })),
    ...(await overcreditedInvoices(db)).map(({ number, ...totals }) => ({
      accountId: number,
      month,
      kind: 'credit' as const,
      ...totals,
      repaired: false,
    })),
  ];
}

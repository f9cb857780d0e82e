import { rebuildUsage } from '@verdict/db/billing-months.js';
import { forgedStatements, rollupDifferences, statementDifferences } from '@verdict/db/usage-differences.js';
import type { Metering } from './metering.js';
import { counterDifferences, repairCounters } from './reconcile-counters.js';

/** One account for which two places that must agree do not. */
export interface Difference {
  readonly accountId: string;
  readonly month: string;
  /** What is wrong: rollups against logs, Redis counter against rollups, statement against rollups, its checksum. */
  readonly kind: 'rollup' | 'counter' | 'statement' | 'checksum';
  readonly expected: number;
  readonly found: number;
  readonly repaired: boolean;
}

/** Compares logs, rollups, Redis counters and statements of a month. Repair corrects the rollups first: the counters follow them. */
export async function reconcile(
  metering: Metering,
  month: string,
  { repair = false }: { readonly repair?: boolean } = {},
): Promise<Difference[]> {
  const { db } = metering;
  const rollups = await rollupDifferences(db, month);
  const stillWrong = new Set(rollups.map(({ accountId }) => accountId));
  if (repair && rollups.length > 0) {
    await rebuildUsage(db, month);
    const left = new Set((await rollupDifferences(db, month)).map(({ accountId }) => accountId));
    for (const accountId of stillWrong) if (!left.has(accountId)) stillWrong.delete(accountId);
  }
  const counters = await counterDifferences(metering, month);
  const repairedCounters = repair ? await repairCounters(metering, month, counters) : new Set<string>();
  return [
    ...rollups.map((one) => ({
      ...one,
      month,
      kind: 'rollup' as const,
      repaired: !stillWrong.has(one.accountId),
    })),
    ...counters.map((one) => ({
      ...one,
      month,
      kind: 'counter' as const,
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
  ];
}

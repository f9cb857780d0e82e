import type { UsageDifference } from '@verdict/db/billing/usage-differences.js';

/** One account for which two places that must agree do not. */
export interface Difference extends UsageDifference {
  readonly month: string;
  /**
   * The fault: a log id with two rows, rollups against logs, checks by tag against
   * logs, a Redis counter below what is stored and queued, one above
   * it (checks that were answered and are nowhere), a result of a file without its log, statement against rollups, its
   * checksum, or an invoice (named instead of an account) that was changed, is missing, or of which more was credited
   * than charged.
   */
  readonly kind:
    | 'double'
    | 'rollup'
    | 'tag'
    | 'counter'
    | 'loss'
    | 'result'
    | 'statement'
    | 'checksum'
    | 'invoice'
    | 'credit';
  readonly repaired: boolean;
}

/**
 * The repair: nothing; Redis counters that are too low; or, by an operator, what is billed and counters that are
 * too high. Rollups are corrected first: the counters follow them.
 */
export type Repair = 'nothing' | 'counters' | 'everything';

/** The findings of one comparison as differences of one kind; `repaired` holds the accounts that were set right. */
export const differencesOf = (
  month: string,
  kind: Difference['kind'],
  found: readonly UsageDifference[],
  repaired: ReadonlySet<string> = new Set(),
): Difference[] => found.map((one) => ({ ...one, month, kind, repaired: repaired.has(one.accountId) }));

import type { Decision } from '@verdict/contracts/decision.js';

/** The counts of a backtest so far, as they are stored. */
export interface BacktestResult {
  /** By "<decision> <new decision>". */
  readonly cells: Record<string, { checks: number; samples: string[] }>;
  /** Checks that each rule matched, by position. */
  readonly hits: number[];
  /** Checks that were not judged again, by the reason. */
  readonly left_out: Record<'erased' | 'expired' | 'earlier_release' | 'no_network', number>;
}

export const noResult = (): BacktestResult => ({
  cells: {},
  hits: [],
  left_out: { erased: 0, expired: 0, earlier_release: 0, no_network: 0 },
});

export const cellOf = (before: Decision, after: Decision): string => `${before} ${after}`;

import type { Decision } from '@verdict/contracts/decision.js';
import { entries, int, list, type RowOf, record, text } from '../database/columns.js';

/** The counts of a backtest so far, as they are stored. */
export const BacktestResult = {
  /** By "<decision> <new decision>". */
  cells: entries(record({ checks: int, samples: list(text) })),
  /** Checks that each rule matched, by position. */
  hits: list(int),
  /** Checks that were not judged again, by the reason. */
  left_out: record({ erased: int, expired: int, earlier_release: int, no_network: int }),
};
export type BacktestResult = RowOf<typeof BacktestResult>;

export const noResult = (): BacktestResult => ({
  cells: {},
  hits: [],
  left_out: { erased: 0, expired: 0, earlier_release: 0, no_network: 0 },
});

export const cellOf = (before: Decision, after: Decision): string => `${before} ${after}`;

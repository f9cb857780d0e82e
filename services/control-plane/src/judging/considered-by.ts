import type { Considered } from '@verdict/contracts/considered.js';
import type { BacktestResult } from '@verdict/db/policies/backtest-result.js';

/** Facts behind decisions about stored checks: their entries and rules, and the counts and networks that any of them came with. */
export const consideredBy = ({
  with_counts,
  with_network,
}: Pick<BacktestResult, 'with_counts' | 'with_network'>): Considered => [
  'lists',
  'policy',
  ...(with_counts > 0 ? (['bursts'] as const) : []),
  ...(with_network > 0 ? (['ip'] as const) : []),
];

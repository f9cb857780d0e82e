import type { BacktestView } from '@verdict/contracts/policy.js';
import { noResult } from '@verdict/db/policies/backtest-result.js';
import type { BacktestRow } from '@verdict/db/policies/backtests.js';
import type { Rule } from '@verdict/domain/policy/policy.js';
import { consideredBy } from '../judging/considered-by.js';
import { countsOf, hitsOf } from './show-counts.js';

/** A backtest as it is answered, with the names of its rules. */
export function showBacktest(row: BacktestRow, rules: readonly Rule[]): BacktestView {
  const { total, done, result, ...backtest } = row;
  const found = result ?? noResult();
  const { cells, hits, looked_up, left_out } = found;
  // The rollups count by the hour, and a check may be stored late.
  const progress = row.status === 'done' ? 1 : Math.min(0.99, done / Math.max(1, total));
  return {
    ...backtest,
    ...countsOf(cells),
    progress: Math.round(progress * 1_000) / 1_000,
    hits: hitsOf(rules, hits),
    networks_looked_up: looked_up,
    left_out,
    considered: consideredBy(found),
  };
}

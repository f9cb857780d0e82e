import type { Decision } from '@verdict/contracts/decision.js';
import type { BacktestView } from '@verdict/contracts/policy.js';
import { noResult } from '@verdict/db/policies/backtest-result.js';
import type { BacktestRow } from '@verdict/db/policies/backtests.js';
import type { Rule } from '@verdict/domain/policy/policy.js';

/** A backtest as it is answered, with the names of its rules. */
export function showBacktest(row: BacktestRow, rules: readonly Rule[]): BacktestView {
  const { total, done, result, ...backtest } = row;
  const { cells, hits, left_out } = result ?? noResult();
  const matrix = Object.entries(cells).map(([name, cell]) => {
    const [before, after] = name.split(' ') as [Decision, Decision];
    return { before, after, ...cell };
  });
  const sum = (counted: typeof matrix) => counted.reduce((checks, cell) => checks + cell.checks, 0);
  // The rollups count by the hour, and a check may be stored late.
  const progress = row.status === 'done' ? 1 : Math.min(0.99, done / Math.max(1, total));
  return {
    ...backtest,
    progress: Math.round(progress * 1_000) / 1_000,
    judged: sum(matrix),
    changed: sum(matrix.filter(({ before, after }) => before !== after)),
    matrix,
    hits: rules.map(({ name }, i) => ({ rule: name, checks: hits[i] ?? 0 })),
    left_out,
  };
}

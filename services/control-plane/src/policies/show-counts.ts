import type { BacktestResult } from '@verdict/db/policies/backtest-result.js';
import type { Decision } from '@verdict/domain/decision.js';
import type { Rule } from '@verdict/domain/policy/policy.js';

/** The cells of a comparison as they are answered, with their sums. */
export function countsOf(cells: BacktestResult['cells']) {
  const matrix = Object.entries(cells).map(([name, cell]) => {
    const [before, after] = name.split(' ') as [Decision, Decision];
    return { before, after, ...cell };
  });
  const sum = (counted: typeof matrix) => counted.reduce((checks, cell) => checks + cell.checks, 0);
  return {
    judged: sum(matrix),
    changed: sum(matrix.filter(({ before, after }) => before !== after)),
    matrix,
  };
}

/** Checks that each rule matched, by its name. */
export const hitsOf = (rules: readonly Rule[], hits: readonly number[]) =>
  rules.map(({ name }, i) => ({ rule: name, checks: hits[i] ?? 0 }));

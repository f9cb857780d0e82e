import { judgeStored } from '@verdict/admission/judge-stored.js';
import { type BacktestResult, cellOf } from '@verdict/db/policies/backtest-result.js';
import type { StoredCheckRow } from '@verdict/db/policies/stored-checks.js';
import type { CompiledPolicy } from '@verdict/domain/policy/compile-policy.js';

const SAMPLES_MAX = 50;

/** Judges checks again and adds them to the counts. One whose address is gone has expired where its plan keeps none so old. */
export function countChecks(
  before: BacktestResult,
  checks: readonly StoredCheckRow[],
  policy: CompiledPolicy,
  expiredBefore: number,
): BacktestResult {
  const cells = structuredClone(before.cells);
  const hits = policy.rules.map((_, i) => before.hits[i] ?? 0);
  const left_out = { ...before.left_out };
  const hit = (rule: number) => {
    hits[rule] = (hits[rule] ?? 0) + 1;
  };
  for (const check of checks) {
    const again = judgeStored(check, policy);
    if (typeof again === 'string') {
      const hasExpired = again === 'erased' && Date.parse(check.created_at) < expiredBefore;
      left_out[hasExpired ? 'expired' : again] += 1;
      continue;
    }
    const name = cellOf(check.decision, again.decision);
    const cell = cells[name] ?? { checks: 0, samples: [] };
    cells[name] = cell;
    cell.checks += 1;
    if (cell.samples.length < SAMPLES_MAX) cell.samples.push(check.id);
    for (const rule of again.watched ?? []) hit(rule);
    if (again.rule !== undefined) hit(again.rule);
  }
  return { cells, hits, left_out };
}

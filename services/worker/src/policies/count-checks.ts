import { judgeStored } from '@verdict/admission/judge-stored.js';
import { type LookUp, lookUpNetworks } from '@verdict/admission/look-up-networks.js';
import { type BacktestResult, cellOf } from '@verdict/db/policies/backtest-result.js';
import type { StoredCheckRow } from '@verdict/db/policies/stored-checks.js';
import type { CompiledPolicy } from '@verdict/domain/policy/compile-policy.js';

const SAMPLES_MAX = 50;

export interface Judging {
  readonly policy: CompiledPolicy;
  /** Checks before this moment lost their address to the plan's retention. */
  readonly expiredBefore: number;
  /** Whether the account looks up networks. */
  readonly asksIps: boolean;
  /** Null where this worker has no scoring service. */
  readonly lookUp: LookUp | null;
}

/** Judges checks again and adds them to the counts. */
export async function countChecks(
  before: BacktestResult,
  checks: readonly StoredCheckRow[],
  { policy, expiredBefore, asksIps, lookUp }: Judging,
): Promise<BacktestResult> {
  const cells = structuredClone(before.cells);
  const hits = policy.rules.map((_, i) => before.hits[i] ?? 0);
  const left_out = { ...before.left_out };
  const hit = (rule: number) => {
    hits[rule] = (hits[rule] ?? 0) + 1;
  };
  const known = asksIps && lookUp ? await lookUpNetworks(checks, policy, lookUp) : checks;
  let { looked_up, with_counts, with_network } = before;
  for (const [i, check] of known.entries()) {
    const again = judgeStored(check, policy, asksIps);
    if (typeof again === 'string') {
      const hasExpired = again === 'erased' && Date.parse(check.created_at) < expiredBefore;
      left_out[hasExpired ? 'expired' : again] += 1;
      continue;
    }
    if (check !== checks[i]) looked_up += 1;
    if (check.seen?.some((count) => count !== null)) with_counts += 1;
    if (asksIps && check.ip_network) with_network += 1;
    const name = cellOf(check.decision, again.decision);
    const cell = cells[name] ?? { checks: 0, samples: [] };
    cells[name] = cell;
    cell.checks += 1;
    if (cell.samples.length < SAMPLES_MAX) cell.samples.push(check.id);
    for (const rule of again.watched ?? []) hit(rule);
    if (again.rule !== undefined) hit(again.rule);
  }
  return { cells, hits, looked_up, with_counts, with_network, left_out };
}

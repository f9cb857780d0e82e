import { judgeStored, type StoredCheck } from '@verdict/admission/judge-stored.js';
import type { CompiledPolicy } from '@verdict/domain/policy/compile-policy.js';

/**
 * The share of stored checks that rules of a policy would block if they came now, of those that can be judged again. Scores
 * that block anyway do not count, nor do rules that have ended.
 */
export function blockedShare(
  checks: readonly StoredCheck[],
  policy: CompiledPolicy,
  { now, asksIps }: { readonly now: string; readonly asksIps: boolean },
): number {
  let judged = 0;
  let blocked = 0;
  for (const check of checks) {
    const again = judgeStored({ ...check, created_at: now }, policy, asksIps);
    if (typeof again === 'string') continue;
    judged += 1;
    if (again.decision === 'block' && again.rule !== undefined) blocked += 1;
  }
  return judged === 0 ? 0 : blocked / judged;
}

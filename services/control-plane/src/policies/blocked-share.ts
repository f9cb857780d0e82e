import { judgeStored, type StoredCheck } from '@verdict/admission/judge-stored.js';
import type { CompiledPolicy } from '@verdict/domain/policy/compile-policy.js';

/** The share of stored checks that rules of a policy would block, of those that can be judged again; scores that block anyway do not count. */
export function blockedShare(checks: readonly StoredCheck[], policy: CompiledPolicy): number {
  let judged = 0;
  let blocked = 0;
  for (const check of checks) {
    const again = judgeStored(check, policy);
    if (typeof again === 'string') continue;
    judged += 1;
    if (again.decision === 'block' && again.rule !== undefined) blocked += 1;
  }
  return judged === 0 ? 0 : blocked / judged;
}

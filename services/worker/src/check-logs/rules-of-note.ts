import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import type { StepNote } from '@verdict/contracts/step-note.js';
import type { CompiledPolicy } from '@verdict/domain/policy/compile-policy.js';
import { readPoliciesText } from '@verdict/redis-store/policies-text.js';
import type { PolicyRules } from '../policies/policy-rules.js';

/** The versions that a note names and their rules, by the account and its versions. */
export type RulesOfNote = ReadonlyMap<string, JudgingRules>;

export interface JudgingRules {
  readonly version: number | null;
  readonly live: CompiledPolicy | null;
  readonly shadow: { readonly version: number; readonly policy: CompiledPolicy } | null;
}

export const rulesKey = (accountId: string, policies: string): string => `${accountId} ${policies}`;

/** A version that Postgres does not have: its checks cannot be judged, and are not guessed. */
export class PolicyMissing extends Error {
  override name = 'PolicyMissing';
}

/** Loads the rules of every version that the granted groups of a note name. */
export async function rulesOfNote(
  rulesOf: PolicyRules,
  groups: CheckLogJob['groups'],
  note: StepNote,
): Promise<RulesOfNote> {
  const found = new Map<string, JudgingRules>();
  for (const [i, { outcome, policies = '' }] of note.groups.entries()) {
    const accountId = groups[i]?.account_id;
    if (outcome !== 'granted' || policies === '' || accountId === undefined) continue;
    const key = rulesKey(accountId, policies);
    if (found.has(key)) continue;
    const read = async (version: number) => {
      const policy = await rulesOf(accountId, version);
      if (!policy) throw new PolicyMissing(`version ${version} of the policy is not in Postgres`);
      return policy;
    };
    const { live, shadow } = readPoliciesText(policies);
    found.set(key, {
      version: live,
      live: live === null ? null : await read(live),
      shadow: shadow === null ? null : { version: shadow, policy: await read(shadow) },
    });
  }
  return found;
}

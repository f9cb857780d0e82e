import type { Database } from '@verdict/db/database/client.js';
import { readPolicyRules } from '@verdict/db/policies/read-policy-rules.js';
import { type CompiledPolicy, compilePolicy } from '@verdict/domain/policy/compile-policy.js';
import { LRUCache } from 'lru-cache';

/** The rules of an account's version; null when Postgres has none. */
export type PolicyRules = (accountId: string, version: number) => Promise<CompiledPolicy | null>;

const POLICIES_MAX = 500;

/** Reads rules from Postgres and keeps those of the last accounts: content is immutable. */
export function createPolicyRules(db: Database): PolicyRules {
  const compiled = new LRUCache<string, CompiledPolicy>({ max: POLICIES_MAX });
  return async (accountId, version) => {
    const key = `${accountId} ${version}`;
    const known = compiled.get(key);
    if (known) return known;
    const rules = await readPolicyRules(db, accountId, version);
    if (!rules) return null;
    const policy = compilePolicy(rules);
    compiled.set(key, policy);
    return policy;
  };
}

import type { Ruled } from '@verdict/admission/judge.js';
import type { RunningBulkJob } from '@verdict/db/bulk/bulk-lease.js';
import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import { networkOf } from '@verdict/domain/policy/policy-network.js';
import type { PolicyRules } from '../policies/policy-rules.js';

/** The rules of a job for a canonical address that was checked then: those of the version that was live when the job started. */
export type RulesOfJob = (canonical: string, atMicros: number) => Ruled | null;

export async function rulesOfJob(
  policyRules: PolicyRules,
  { account_id, key_id, policy_version }: Pick<RunningBulkJob, 'account_id' | 'key_id' | 'policy_version'>,
): Promise<RulesOfJob> {
  if (policy_version === null) return () => null;
  const policy = await policyRules(account_id, policy_version);
  if (!policy) throw new Error(`version ${policy_version} of the policy is not in Postgres`);
  return (canonical, atMicros) => {
    const domain = domainOfAddress(canonical);
    return { policy, domain, key: key_id, network: networkOf({ ip: null }), atMicros };
  };
}

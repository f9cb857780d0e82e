import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Policy, policiesQuery, policyQuery } from '../../api/policies.ts';

/** One version: from the listing where that has it, else asked for. */
export function usePolicy(version: number | null): { policy: Policy | undefined; error: unknown } {
  const list = useInfiniteQuery(policiesQuery);
  const known = list.data?.rows.find((one) => one.version === version);
  const asked = useQuery({
    ...policyQuery(version ?? 0),
    enabled: version !== null && list.data !== undefined && !known,
  });
  const policy = known ?? (asked.data?.policy.version === version ? asked.data?.policy : undefined);
  return { policy, error: known ? null : asked.error };
}

import { useQuery } from '@tanstack/react-query';
import { policyQuery } from '../../api/policies.ts';

/** One version with its rules, and the query that reads it. */
export function usePolicy(version: number | null) {
  const query = useQuery({ ...policyQuery(version ?? 0), enabled: version !== null });
  const found = query.data?.policy;
  return { policy: found?.version === version ? found : undefined, query };
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { overviewQuery, USAGE } from '../../api/usage.ts';

/** Whether a new user is guided, and their first check once it came. */
export function useFirstSteps<Check>({ isNew, first }: { isNew: boolean; first: Check | undefined }) {
  // The steps stay until the user leaves them: the key in the first one is never shown again.
  const [guided, setGuided] = useState(false);
  if (isNew && !guided) setGuided(true);
  const client = useQueryClient();
  const hasArrived = guided && first !== undefined;
  useEffect(() => {
    if (!hasArrived) return;
    void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
    void client.invalidateQueries({ queryKey: USAGE });
  }, [hasArrived, client]);
  return { guided, first, done: () => setGuided(false) };
}

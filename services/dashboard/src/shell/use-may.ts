import { useQuery } from '@tanstack/react-query';
import { type Guarded, may } from '@verdict/contracts/routes/rights.js';
import { meQuery } from '../api/account.ts';

/** Whether the role of this user allows a call. Until the role is known everything is shown, as to an owner. */
export function useMay(): (call: Guarded) => boolean {
  const { data } = useQuery(meQuery);
  return (call) => may(data?.account.role ?? 'owner', call);
}

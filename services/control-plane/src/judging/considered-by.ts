import type { Considered } from '@verdict/contracts/considered.js';
import type { AccountSettings } from '@verdict/db/accounts/account-settings.js';

/** Facts behind decisions about stored checks: their entries, rules and counts, and networks where the account has them looked up. */
export const consideredBy = ({ ip_intelligence }: Pick<AccountSettings, 'ip_intelligence'>): Considered => [
  'lists',
  'policy',
  'bursts',
  ...(ip_intelligence ? (['ip'] as const) : []),
];

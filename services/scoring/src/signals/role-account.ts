import { mailAt } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const roleAccount = signal({
  code: 'ROLE_ACCOUNT',
  kind: 'soft',
  points: 15,
  why: 'Shared by several people; refusing it loses small firms',
  flag: 'role_account',
  examples: [
    { email: 'info@acme-widgets.com', mail: mailAt('mx.acme-widgets.com'), factors: 'ROLE_ACCOUNT 15' },
    { email: 'support@yahoo.com', mail: 'not asked', factors: 'FREE_PROVIDER 5, ROLE_ACCOUNT 15' },
  ],
  ofMailbox: ({ role }) =>
    role === 'role' ? 'The mailbox is a role such as info or support, not a person' : undefined,
});

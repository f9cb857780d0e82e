import { unknownMail } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const dnsIndeterminate = signal({
  code: 'DNS_INDETERMINATE',
  kind: 'soft',
  points: 10,
  why: 'The look-up failed, which says little about the address',
  flag: 'mx_unknown',
  examples: [
    { email: 'k.lee@slow-dns-corp.com', mail: unknownMail('failure'), factors: 'DNS_INDETERMINATE 10' },
  ],
  // Judged with the mailbox and last in the table, so that it is the first to give way.
  ofMailbox: ({ domain }) =>
    domain.outcome?.kind === 'unknown' ? 'The mail servers could not be checked' : undefined,
});

import { unknownMail } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const dnsIndeterminate = signal({
  code: 'DNS_INDETERMINATE',
  kind: 'soft',
  points: 10,
  why: 'Our look-up did not finish; that is hardly the sender’s fault',
  flag: 'mx_unknown',
  examples: [
    { email: 'k.lee@slow-dns-corp.com', mail: unknownMail('failure'), factors: 'DNS_INDETERMINATE 10' },
  ],
  // Judged with the mailbox and last in the table, so that it is the first to give way.
  ofMailbox: ({ domain }) =>
    domain.outcome?.kind === 'unknown' ? 'The mail servers could not be checked' : undefined,
});

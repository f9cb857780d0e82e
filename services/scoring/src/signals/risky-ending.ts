import { mailAt, unknownMail } from '../dns/mail-outcome.js';
import type { MailFacts } from '../score/read-mail.js';
import { signal } from './signal.js';

export const riskyEnding = signal({
  code: 'RISKY_ENDING',
  kind: 'soft',
  points: 14,
  why: 'At least 13 times likelier among disposable names; not enough alone',
  examples: [
    { email: 'jane@acme.click', mail: mailAt('mx.acme-widgets.com'), factors: 'RISKY_ENDING 14' },
    {
      email: 'xkqzvbnt93@slow-dns-corp.click',
      mail: unknownMail('failure'),
      factors: 'RISKY_ENDING 14, RANDOM_LOCAL 10, DNS_INDETERMINATE 10',
    },
  ],
  ofDomain(facts) {
    if (facts.datasets.establishedSites !== undefined) return undefined;
    const ending = findRiskyEnding(facts);
    return ending && `The ending .${ending} is often used for throw-away domains`;
  },
});

/** Below challenge by itself, since honest shops live at these endings too. It never counts where the mailbox is paid for. */
export function findRiskyEnding({
  suffix,
  free,
  disposable,
  typo,
  mailboxHost,
  datasets,
}: MailFacts): string | undefined {
  if (free || disposable !== undefined || typo !== undefined || mailboxHost !== undefined) return undefined;
  if (suffix === undefined || suffix.publicSuffix === null || suffix.domain === null) return undefined;
  return datasets.riskyEndings.has(suffix.publicSuffix) ? suffix.publicSuffix : undefined;
}

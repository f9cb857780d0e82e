import { burstReaders } from '@verdict/db/bursts/burst-readers.js';
import type { BurstRow } from '@verdict/db/bursts/burst-reading.js';
import type { Database } from '@verdict/db/database/client.js';
import type { OutgoingMail } from '@verdict/db/people/outgoing-mails.js';
import type { BurstKind } from '@verdict/domain/check-groups.js';
import { DECISIONS, type Decision } from '@verdict/domain/decision.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import { formatCount, formatDay } from '@verdict/invoicing/in-words.js';
import type { Mail } from '@verdict/mail/mail.js';
import { sealMail } from './seal-mail.js';

type Told = Pick<BurstRow, 'kind' | 'value' | 'started_at' | 'usual' | Decision>;

const WORDS: Readonly<Record<Decision, string>> = {
  allow: 'allowed',
  challenge: 'challenged',
  review: 'left to review',
  block: 'blocked',
};

const KINDS: Readonly<Record<BurstKind, (value: string) => string>> = {
  network: (value) => `network ${value}`,
  // Mails name no person.
  mailbox: () => 'one mailbox',
  domain: (value) => `domain ${value}`,
  mail_host: (value) => `mail host ${value}`,
  shape: (value) => `domains like ${value}`,
  as: (value) => `autonomous system ${value}`,
};

/** The sealed mails that tell the account's members of a burst. */
export async function burstMails(
  { db, sealer }: { readonly db: Database; readonly sealer: Sealer | null },
  accountId: string,
  news: 'started' | 'ended',
  burst: Told,
): Promise<OutgoingMail[]> {
  if (!sealer) return [];
  const readers = await burstReaders(db, accountId);
  return readers.map((to) => sealMail(sealer, to, mailAbout(news, burst)));
}

function mailAbout(news: 'started' | 'ended', burst: Told): Mail {
  const { kind, value, started_at: at, usual } = burst;
  const decided = DECISIONS.filter((one) => burst[one] > 0).map(
    (one) => `${formatCount(burst[one])} ${WORDS[one]}`,
  );
  const facts = {
    what: KINDS[kind](value),
    checks: formatCount(DECISIONS.reduce((sum, one) => sum + burst[one], 0)),
    decided: decided.join(', '),
    since: `${formatDay(at.slice(0, 10))}, ${at.slice(11, 16)} UTC`,
  };
  if (news === 'ended') return { kind: 'burst_ended', ...facts };
  const usually =
    usual === 0 ? 'It hardly ever occurs otherwise.' : `Its busiest usual hour has ${formatCount(usual)}.`;
  return { kind: 'burst_started', ...facts, usual: usually };
}

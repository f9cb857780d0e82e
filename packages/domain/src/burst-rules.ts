/** Repetitions that the step counts: what repeats, for how long, and what that is worth. */
interface BurstRule {
  readonly name: 'mailbox' | 'domain' | 'shape' | 'ip';
  readonly code: string;
  readonly hours: number;
  /** The count from which it is a factor. */
  readonly from: number;
  /** No rule reaches review alone. */
  readonly points: number;
  /** Only where the verdict casts a doubt (see castsDoubt). */
  readonly besideDoubt: boolean;
  readonly sentence: (count: string) => string;
}

/** Counts are exact up to this one, the highest. */
export const SEEN_MAX = 16;

/** In the order of their counts in a note. */
export const burstRules: readonly [BurstRule, BurstRule, BurstRule, BurstRule] = [
  {
    name: 'mailbox',
    code: 'ALIAS_BURST',
    hours: 7 * 24,
    from: 3,
    points: 30,
    besideDoubt: false,
    sentence: (count) => `This mailbox was seen under ${count} spellings in 7 days`,
  },
  {
    name: 'domain',
    code: 'DOMAIN_BURST',
    hours: 7 * 24,
    from: 3,
    points: 20,
    besideDoubt: true,
    sentence: (count) => `${count} mailboxes of this domain were seen in 7 days`,
  },
  {
    name: 'shape',
    code: 'SEQUENCE',
    hours: 7 * 24,
    from: 3,
    points: 30,
    besideDoubt: false,
    sentence: (count) => `${count} mailboxes of this domain differ only in their digits`,
  },
  {
    name: 'ip',
    code: 'IP_BURST',
    hours: 24,
    from: 10,
    points: 0,
    besideDoubt: false,
    sentence: (count) => `${count} mailboxes were seen from this IP address in 24 hours`,
  },
];

/** Findings that make several mailboxes of one domain suspicious: a company has none of them, and twenty mailboxes. */
const DOUBTS = new Set([
  'RANDOM_LOCAL',
  'RISKY_ENDING',
  'UNESTABLISHED_RISKY_ENDING',
  'FREE_SUBDOMAIN',
  'IMPLICIT_MX',
  'UNKNOWN_TLD',
  'DISPOSABLE_DOMAIN_DISPUTED',
  'DISPOSABLE_MX_SINGLE_SOURCE',
]);

export const castsDoubt = (code: string): boolean => DOUBTS.has(code);

export const burstSentence = (sentence: BurstRule['sentence'], count: number): string =>
  sentence(count < SEEN_MAX ? String(count) : `${SEEN_MAX} or more`);

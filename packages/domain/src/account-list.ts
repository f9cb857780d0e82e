export const LIST_NAMES = ['allow', 'block'] as const;
export type ListName = (typeof LIST_NAMES)[number];

export const LIST_KINDS = ['address', 'domain', 'ip', 'network'] as const;

/** Scope of an entry: the value itself, every spelling of an address, or every domain whose mail goes to a server. */
export const LIST_MATCHINGS = ['exact', 'mailbox', 'mx'] as const;
export type ListMatching = (typeof LIST_MATCHINGS)[number];

/** An entry of an account's own lists. */
export interface ListedValue {
  readonly list: ListName;
  readonly kind: (typeof LIST_KINDS)[number];
  readonly match: ListMatching;
  readonly value: string;
  /** From then on the step ignores it; null for never. */
  readonly expires_at: string | null;
}

/** An entry that a check met, and the score that the step gave it. */
interface AppliedEntry {
  readonly list: ListName;
  readonly kind: ListedValue['kind'] | 'mailbox' | 'mx';
  readonly value: string;
  readonly risk_score: number;
}

interface Factor {
  readonly code: string;
  readonly points: number;
  readonly reason: string;
}

/** The code of the factor of an entry that decided, by its list. */
export const LIST_CODES = { allow: 'ACCOUNT_ALLOW', block: 'ACCOUNT_BLOCK' } as const;

const NOUN = {
  address: 'address',
  mailbox: 'mailbox',
  mx: 'mail server',
  domain: 'domain',
  ip: 'IP address',
  network: 'network',
} as const;

/**
 * The arithmetic of a check that met an entry: the entry has all the points. Other findings keep their sentences and lose
 * their points, so that the reasons stay truthful and the points still add up.
 */
export function listedFactors(factors: readonly Factor[], match: AppliedEntry): Factor[] {
  const override: Factor = {
    code: LIST_CODES[match.list],
    points: match.risk_score,
    reason: `The ${NOUN[match.kind]} ${match.value} is on your ${match.list} list`,
  };
  const overridden = factors.map(({ code, reason }) => ({
    code,
    points: 0,
    reason: `${reason} (overridden by your ${match.list} list)`,
  }));
  return [override, ...overridden];
}

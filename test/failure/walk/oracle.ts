import { type DocFacts, type DocOutcome, judgeByTheDocs } from '../../resilience/judge-by-the-docs.js';

export interface Factor {
  readonly code: string;
  readonly points: number;
}

/** An answer with everything that a check may say of itself. */
export interface WalkAnswer {
  readonly id: string;
  readonly email: string;
  readonly ip: string | null;
  readonly decision: string;
  readonly risk_score: number;
  readonly reasons: readonly string[];
  readonly created_at: string;
  readonly signals: Readonly<Record<string, unknown>> & {
    readonly seen: DocFacts['seen'];
    readonly mx: DocFacts['mx'];
  };
  readonly breakdown: { readonly factors: readonly Factor[] };
}

export type DocRules = Parameters<typeof judgeByTheDocs>[1];

/** The contents of an account at an instant, as its customer set them. */
export interface Contents {
  readonly rules: DocRules;
  /** Domains on its lists. */
  readonly lists: ReadonlyMap<string, 'allow' | 'block'>;
  readonly key: string;
}

const TAGS = [undefined, 'sign-up', 'news: May'];
/** The tag that a check of an address is sent with; undefined for none. */
export const tagOf = (email: string): string | undefined => TAGS[email.length % TAGS.length];

const isOwn = ({ code }: Factor) => !code.startsWith('POLICY');
const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);

/** Says by the docs alone how this answer has to be, given the findings of scoring. It shares no code with the product. */
export function expected(answer: WalkAnswer, { rules, lists, key }: Contents): DocOutcome {
  const own = answer.breakdown.factors.filter(isOwn);
  const list = lists.get(domainOf(answer.email));
  const facts: DocFacts = {
    score: own.reduce((sum, { points }) => sum + points, 0),
    codes: own.map(({ code }) => code),
    domain: domainOf(answer.email),
    key,
    signals: answer.signals,
    seen: answer.signals.seen,
    address: answer.ip,
    ip: { kind: null },
    mx: answer.signals.mx,
    createdAt: answer.created_at,
  };
  return judgeByTheDocs(facts, rules, list ? { list } : null);
}

/** One spelling of a mailbox at a provider that ignores dots and tags. */
const mailboxOf = (email: string) => email.replace(/\+[^@]*|\.(?=[^@]*@)/g, '');

/** How many spellings each row has to have seen of its mailbox, itself included: rows are those of one account, in their order. */
export function spellings(emails: readonly string[]): number[] {
  const seen = new Map<string, Set<string>>();
  return emails.map((email) => {
    const known = seen.get(mailboxOf(email)) ?? new Set();
    seen.set(mailboxOf(email), known.add(email));
    return known.size;
  });
}

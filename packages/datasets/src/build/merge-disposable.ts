import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { getPublicSuffix } from 'tldts';
import { AGGREGATE, CRAWLED, CURATED, isConfirmed, isVerified, MAILCHECKER } from '../evidence.js';

export interface DisposableInput {
  /** Names by how far those who say them are trusted; crawled ones with who runs them, where that is known. */
  readonly lists: {
    readonly curated: readonly string[];
    readonly crawled: ReadonlyMap<string, string | undefined>;
    readonly aggregate: readonly string[];
    readonly mailchecker: readonly string[];
  };
  readonly relays: ReadonlySet<string>;
  readonly knownMail: ReadonlySet<string>;
  readonly bigDomains: ReadonlySet<string>;
  readonly placeholders: ReadonlySet<string>;
  readonly trustedSmall: ReadonlySet<string>;
  readonly freemail: ReadonlySet<string>;
  readonly restrictedSuffixes: ReadonlySet<string>;
}

export interface DisposableEntry {
  evidence: number;
  operator: string | undefined;
}

export interface MergedDisposable {
  readonly entries: Map<string, DisposableEntry>;
  /** How many names each rule removed, and the counts per tier. */
  readonly notes: Record<string, number>;
}

/** Union of the four lists with the evidence for each name, minus everything that a disposable list should not hold. */
export function mergeDisposable(input: DisposableInput): MergedDisposable {
  const { entries, malformed } = collect(input.lists);
  const notes: Record<string, number> = { malformed };
  const subtract = (rule: string, applies: (domain: string, entry: DisposableEntry) => boolean) => {
    let removed = 0;
    for (const [domain, entry] of entries) {
      if (!applies(domain, entry)) continue;
      entries.delete(domain);
      removed++;
    }
    notes[rule] = removed;
  };

  subtract('public_suffixes', (domain) => isPublicSuffix(domain));
  subtract('relays', (domain) => hasListedParent(domain, input.relays));
  subtract('known_providers', (domain) => input.knownMail.has(domain) || input.bigDomains.has(domain));
  subtract('placeholders', (domain) => input.placeholders.has(domain));
  subtract(
    'trusted_small',
    (domain, { evidence }) => !isVerified(evidence) && input.trustedSmall.has(domain),
  );
  subtract(
    'single_source_freemail',
    (domain, { evidence }) => !isConfirmed(evidence) && input.freemail.has(domain),
  );
  subtract(
    'restricted_suffixes',
    (domain, { evidence }) => !isVerified(evidence) && hasListedParent(domain, input.restrictedSuffixes),
  );
  // A parent with the same or more evidence says all that the child says.
  subtract('children', (domain, { evidence }) => {
    for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) {
      const parent = entries.get(domain.slice(dot + 1));
      if (parent !== undefined && (parent.evidence | evidence) === parent.evidence) return true;
    }
    return false;
  });

  notes.confirmed = [...entries.values()].filter(({ evidence }) => isConfirmed(evidence)).length;
  notes.single_source = entries.size - notes.confirmed;
  return { entries, notes };
}

function collect(lists: DisposableInput['lists']) {
  const entries = new Map<string, DisposableEntry>();
  let malformed = 0;
  const add = (names: Iterable<string>, evidence: number) => {
    for (const name of names) {
      const parsed = parseMailDomain(name.trim());
      if (!parsed.ok) {
        malformed++;
        continue;
      }
      const domain = parsed.domain.ascii;
      const entry = entries.get(domain) ?? { evidence: 0, operator: undefined };
      entry.evidence |= evidence;
      entries.set(domain, entry);
    }
  };
  add(lists.curated, CURATED);
  add(lists.crawled.keys(), CRAWLED);
  add(lists.aggregate, AGGREGATE);
  add(lists.mailchecker, MAILCHECKER);
  for (const [domain, operator] of lists.crawled) {
    const entry = entries.get(domain);
    if (entry !== undefined) entry.operator = operator;
  }
  return { entries, malformed };
}

function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}

/** On label boundaries, the name itself included. */
export function hasListedParent(domain: string, names: { has(name: string): boolean }): boolean {
  if (names.has(domain)) return true;
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) {
    if (names.has(domain.slice(dot + 1))) return true;
  }
  return false;
}

import { allProviders } from '@verdict/domain/address/provider-domains.js';

/**
 * How far a name may differ and still be a typo. `any`: long and odd enough that no company has a similar name;
 * `careful`: a short or ordinary name, where only keyboard slips count; `ending`: only the ending is corrected,
 * because photon.me is not proton.me.
 */
export type Tolerance = 'any' | 'careful' | 'ending';

export interface TypoTarget {
  readonly domain: string;
  /** Left of the first dot. */
  readonly name: string;
  /** Right of it. */
  readonly suffix: string;
  readonly tolerance: Tolerance;
}

const ODD_FROM = 6;
const CAREFUL_FROM = 3;

/** Five letters, but nothing else is spelt like them. */
const oddThoughShort = new Set(['gmail', 'yahoo', 'ziggo']);

/** Words, given names and foreign brands: a neighbour is as likely to be another owner's. */
const ordinary = new Set(
  `alice arcor azet centrum email frontier gazeta globo inbox interia meta naver online orange planet proton rambler
   rogers sapo sina sohu skynet softbank telia telus terra tin walla nate daum freenet charter`.split(/\s+/),
);

/** Every neighbour is a word, a brand or a provider too. */
const endingOnly = new Set(
  'aol msn live me mac mail ymail gmx web qq 163 126 att cox juno zoho list online sky o2 wp op bk email'.split(
    ' ',
  ),
);

/** One edit from a target, and a real provider. */
export const genuineNeighbours: ReadonlySet<string> = new Set(['earthling.net', 'one.pl']);

/** Three letters at these endings: too many companies live there for a swap to prove anything. */
const crowdedEndings = new Set(['com', 'net.au', 'com.au']);

export const typoTargets: readonly TypoTarget[] = allProviders().map((domain) => {
  const dot = domain.indexOf('.');
  const name = domain.slice(0, dot);
  const suffix = domain.slice(dot + 1);
  return { domain, name, suffix, tolerance: toleranceOf(name, suffix) };
});

/** The same by length of the name: only neighbours in length can be one edit away. */
export const typoTargetsByLength: readonly (readonly TypoTarget[])[] = groupByLength();

function toleranceOf(name: string, suffix: string): Tolerance {
  if (endingOnly.has(name) || name.length < CAREFUL_FROM) return 'ending';
  if (name.length === CAREFUL_FROM && crowdedEndings.has(suffix)) return 'ending';
  if (ordinary.has(name)) return 'careful';
  return name.length >= ODD_FROM || oddThoughShort.has(name) ? 'any' : 'careful';
}

function groupByLength(): TypoTarget[][] {
  const groups: TypoTarget[][] = [];
  for (const target of typoTargets) {
    const group = groups[target.name.length] ?? [];
    group.push(target);
    groups[target.name.length] = group;
  }
  return groups;
}

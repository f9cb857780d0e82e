import { getPublicSuffix } from 'tldts';
import { isBelievableSlip } from './believable-slip.js';
import { editDistance, FAR, ONE_EDIT, SAME } from './edit-distance.js';
import { genuineNeighbours, type TypoTarget, typoTargets, typoTargetsByLength } from './typo-targets.js';

/** Real endings that are nearly always a slip of .com when the name left of them is a big provider's. */
const comSlips = new Set(
  'co cm om cam cim cob con cmo comm vom xom cpm ocm c0m com.com coom cpom clm ckm cok con.com'.split(' '),
);

/** The same of .net. */
const netSlips = new Set('bet ne ner nwt ent met nt et'.split(' '));
const slipsOf: Readonly<Record<string, ReadonlySet<string>>> = { com: comSlips, net: netSlips };

/** Endings worth correcting for any domain, when the typed one does not exist. */
const commonEndings = ['com', 'net', 'org'];

/** Providers that have one domain for the whole world, whatever country's (or listed) ending is typed behind their name. */
const oneForAll = new Map(
  'gmail.com googlemail.com icloud.com rocketmail.com btinternet.com rediffmail.com comcast.net sbcglobal.net bellsouth.net'
    .split(' ')
    .map((domain) => [domain.slice(0, domain.indexOf('.')), domain]),
);
const countryEnding = /^(?:com?\.)?[a-z]{2}$/;

const NOT_THIS = 3;

/**
 * The intended domain, or nothing; the caller has already excluded known providers. `suffixExists`: the ending is
 * real; `listed`: a list calls the name disposable.
 */
export function findTypo(domain: string, suffixExists: boolean, listed = false): string | undefined {
  if (genuineNeighbours.has(domain)) return undefined;
  const dot = domain.indexOf('.');
  const name = domain.slice(0, dot);
  const suffix = domain.slice(dot + 1);
  let best: string | undefined;
  let bestDistance = NOT_THIS;
  let tied = false;
  for (let length = name.length - 1; length <= name.length + 1; length++) {
    for (const target of typoTargetsByLength[length] ?? []) {
      const distance = distanceTo(target, { name, suffix, suffixExists, listed });
      if (distance > bestDistance || distance >= NOT_THIS) continue;
      tied = distance === bestDistance;
      if (!tied) best = target.domain;
      bestDistance = distance;
    }
  }
  // hotmail.ed may be .de or .es: no guess. Endings that are far from all of them mean the first, which is .com.
  if (tied && bestDistance === ONE_EDIT) return undefined;
  if (best !== undefined) return best;
  if (countryEnding.test(suffix) || listed) {
    const forAll = oneForAll.get(name);
    if (forAll !== undefined) return forAll;
  }
  return findLookAlike(domain) ?? (suffixExists ? undefined : fixEnding(domain));
}

interface Typed {
  readonly name: string;
  readonly suffix: string;
  readonly suffixExists: boolean;
  readonly listed: boolean;
}

/** Edits in the name plus edits in the ending; 3 for "not this one". */
function distanceTo(target: TypoTarget, { name, suffix, suffixExists, listed }: Typed): number {
  const inName = editDistance(name, target.name);
  if (inName === FAR || (inName === ONE_EDIT && !isBelievableSlip(name, target, listed))) return NOT_THIS;
  if (suffix === target.suffix) return inName === SAME ? NOT_THIS : inName;
  if (slipsOf[target.suffix]?.has(suffix) && (name.length >= 5 || !suffixExists)) return inName + 1;
  if (suffixExists) return inName === SAME && isSlippedMiddle(suffix, target.suffix) ? 1 : NOT_THIS;
  const inSuffix = editDistance(suffix, target.suffix);
  // An ending that does not exist beside a name that does can only be a slip, however far off.
  if (inSuffix === FAR) return inName === SAME && target.tolerance === 'any' ? 2 : NOT_THIS;
  return inName + inSuffix;
}

/** hotmail.con.br: the country is right, but con.br has no registrations. */
function isSlippedMiddle(suffix: string, meant: string): boolean {
  const dot = suffix.indexOf('.');
  return (
    dot !== -1 &&
    meant.includes('.') &&
    suffix.slice(dot) === meant.slice(meant.indexOf('.')) &&
    editDistance(suffix, meant) === ONE_EDIT &&
    getPublicSuffix(suffix, { allowPrivateDomains: true }) !== suffix
  );
}

/** grnail.com, gmai1.com, 0utlook.com: pairs that look alike in ASCII. */
function findLookAlike(domain: string): string | undefined {
  if (domain.length > lookAlikeLengthMax || !lookAlike.test(domain)) return undefined;
  const plain = domain.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('0', 'o').replaceAll('1', 'l');
  return lookAlikeTargets.has(plain) ? plain : undefined;
}

const lookAlike = /rn|vv|[01]/;
const lookAlikeTargets = new Set(
  typoTargets.filter(({ tolerance }) => tolerance === 'any').map(({ domain }) => domain),
);
/** Each pair makes a name one letter longer; more than two of them deceive no reader. */
const lookAlikeLengthMax = Math.max(...[...lookAlikeTargets].map(({ length }) => length)) + 2;

function fixEnding(domain: string): string | undefined {
  const dot = domain.lastIndexOf('.');
  const ending = domain.slice(dot + 1);
  const meant = commonEndings.find((candidate) => editDistance(ending, candidate) === ONE_EDIT);
  return meant === undefined ? undefined : `${domain.slice(0, dot)}.${meant}`;
}

import { editDistance, FAR, ONE_EDIT, SAME } from './edit-distance.js';
import { type TypoTarget, typoTargets, typoTargetsByLength } from './typo-targets.js';

/** Real endings that are nearly always a slip of .com when the name left of them is a big provider's. */
const comSlips = new Set([
  'co',
  'cm',
  'om',
  'cam',
  'cim',
  'cob',
  'con',
  'cmo',
  'comm',
  'vom',
  'xom',
  'cpm',
  'ocm',
  'c0m',
]);

/** Endings worth correcting for any domain, when what was typed is no ending at all. */
const commonEndings = ['com', 'net', 'org'];

/** Keys beside each other; a slip on the first letter is only believed there. */
const neighbours: Readonly<Record<string, string>> = {
  c: 'xvdf',
  f: 'drtgvc',
  h: 'gyujnb',
  i: 'uojk',
  o: 'ipkl',
  p: 'ol',
  r: 'etdf',
  s: 'awedxz',
  t: 'ryfg',
  v: 'cbfg',
  w: 'qesa',
  y: 'tugh',
};

/**
 * The domain that was probably meant, or nothing. The caller has already ruled out domains that are known providers.
 * `suffixExists` says whether the domain's ending is a real one.
 */
export function findTypo(domain: string, suffixExists: boolean): string | undefined {
  const dot = domain.indexOf('.');
  const name = domain.slice(0, dot);
  const suffix = domain.slice(dot + 1);
  let best: string | undefined;
  let bestDistance = 3;
  for (let length = name.length - 1; length <= name.length + 1; length++) {
    for (const target of typoTargetsByLength[length] ?? []) {
      const distance = distanceTo(target, name, suffix, suffixExists);
      if (distance >= bestDistance) continue;
      best = target.domain;
      bestDistance = distance;
    }
  }
  return best ?? findLookAlike(domain) ?? (suffixExists ? undefined : fixEnding(domain));
}

/** Edits in the name plus edits in the ending; 3 for "not this one". */
function distanceTo(target: TypoTarget, name: string, suffix: string, suffixExists: boolean): number {
  const inName = editDistance(name, target.name);
  if (inName === FAR || (inName === ONE_EDIT && !isBelievable(name, target))) return 3;
  if (suffix === target.suffix) return inName === SAME ? 3 : inName;
  if (target.suffix === 'com' && comSlips.has(suffix) && (name.length >= 5 || !suffixExists))
    return inName + 1;
  if (suffixExists) return 3;
  const inSuffix = editDistance(suffix, target.suffix);
  // An ending that does not exist beside a name that does can only be a slip, however far off.
  if (inSuffix === FAR) return inName === SAME && target.fuzzy ? 2 : 3;
  return inName + inSuffix;
}

function isBelievable(name: string, target: TypoTarget): boolean {
  if (!target.fuzzy) return false;
  const typed = name[0] ?? '';
  const meant = target.name[0] ?? '';
  if (typed === meant) return true;
  if (typed === target.name[1] && name[1] === meant) return true;
  // ?mail.com is a natural brand, so a first letter beside g proves nothing. A lost or extra first letter does not
  // either: cloud.com is not icloud.com.
  return (
    name.length === target.name.length && target.name !== 'gmail' && (neighbours[meant] ?? '').includes(typed)
  );
}

/** grnail.com, gmai1.com, 0utlook.com: pairs that look alike in ASCII. */
function findLookAlike(domain: string): string | undefined {
  if (domain.length > lookAlikeLengthMax || !lookAlike.test(domain)) return undefined;
  const plain = domain.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('0', 'o').replaceAll('1', 'l');
  return lookAlikeTargets.has(plain) ? plain : undefined;
}

const lookAlike = /rn|vv|[01]/;
const lookAlikeTargets = new Set(typoTargets.filter(({ fuzzy }) => fuzzy).map(({ domain }) => domain));
/** Each pair makes a name one letter longer; more than two of them deceive nobody. */
const lookAlikeLengthMax = Math.max(...[...lookAlikeTargets].map(({ length }) => length)) + 2;

function fixEnding(domain: string): string | undefined {
  const dot = domain.lastIndexOf('.');
  const ending = domain.slice(dot + 1);
  const meant = commonEndings.find((candidate) => editDistance(ending, candidate) === ONE_EDIT);
  return meant === undefined ? undefined : `${domain.slice(0, dot)}.${meant}`;
}

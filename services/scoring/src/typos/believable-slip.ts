import type { TypoTarget } from './typo-targets.js';

/** Rows of the keyboard that most of the world types addresses on, shifted as the keys are. */
const rows = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const neighbours = mapNeighbours();

/** From this length on, a name that lost its first letter is free; cloud.com and mail.com are not. */
const LOST_FIRST_FROM = 7;
const lostFirstThoughShort = new Set(['yahoo']);
/** Below it, a careful target accepts only swapped and doubled letters. */
const FINGERS_FROM = 5;

/**
 * Whether a name one edit away from the target is a typo of it. `listed`: a list calls it disposable, so it is not an
 * honest company and a keyboard slip is plausible even for the shortest names.
 */
export function isBelievableSlip(typed: string, { name, tolerance }: TypoTarget, listed: boolean): boolean {
  const at = firstDifference(typed, name);
  if (listed && at > 0 && isSlipOfFingers(typed, name, at)) return true;
  if (tolerance === 'ending') return false;
  if (typed.length === name.length) {
    const swapped = typed[at] === name[at + 1] && typed[at + 1] === name[at];
    return swapped || isBelievableSubstitution(typed, name, at, tolerance);
  }
  if (typed.length > name.length) return isBelievableInsertion(typed, name, at, tolerance);
  if (at === 0)
    return tolerance === 'any' && (name.length >= LOST_FIRST_FROM || lostFirstThoughShort.has(name));
  return tolerance === 'any' || name.length > FINGERS_FROM || name[at] === name[at - 1];
}

/** A letter lost, doubled, swapped with the next, or hit beside its key. */
function isSlipOfFingers(typed: string, name: string, at: number): boolean {
  if (typed.length < name.length) return true;
  if (typed.length > name.length) return typed[at] === name[at - 1];
  return (
    areNeighbours(typed.charAt(at), name.charAt(at)) ||
    (typed[at] === name[at + 1] && typed[at + 1] === name[at])
  );
}

function isBelievableSubstitution(typed: string, name: string, at: number, tolerance: string): boolean {
  const beside = areNeighbours(typed.charAt(at), name.charAt(at));
  // ?mail.com is a natural brand, so a first letter beside g proves nothing.
  if (at === 0) return beside && tolerance === 'any' && name !== 'gmail';
  return tolerance === 'any' || (beside && name.length >= FINGERS_FROM);
}

function isBelievableInsertion(typed: string, name: string, at: number, tolerance: string): boolean {
  const doubled = typed[at] === name[at - 1] || typed[at] === name[at];
  // 7gmail.com is one of a thousand generated names, not a slip.
  if (at === 0 && /\d/.test(typed.charAt(0))) return false;
  if (doubled || tolerance === 'any') return true;
  if (name.length < FINGERS_FROM) return false;
  // A finger that hit two keys; a repeated neighbour further off is the same accident.
  return (
    areNeighbours(typed.charAt(at), name.charAt(at)) ||
    areNeighbours(typed.charAt(at), name.charAt(at - 1)) ||
    name.includes(typed.charAt(at))
  );
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function areNeighbours(a: string, b: string): boolean {
  return neighbours.get(a)?.includes(b) ?? false;
}

function mapNeighbours(): Map<string, string> {
  const map = new Map<string, string>();
  rows.forEach((row, r) => {
    for (let i = 0; i < row.length; i++) {
      const above = rows[r - 1] ?? '';
      const below = rows[r + 1] ?? '';
      const beside = [
        row.charAt(i - 1),
        row.charAt(i + 1),
        above.charAt(i),
        above.charAt(i + 1),
        below.charAt(i - 1),
        below.charAt(i),
      ];
      map.set(row.charAt(i), beside.join(''));
    }
  });
  return map;
}

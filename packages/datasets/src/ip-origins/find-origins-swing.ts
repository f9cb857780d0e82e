import { SWING_MAX } from '../find-swing.js';
import { type OriginsHeader, SPACES } from './ip-origins.js';

/** The table that covers far fewer or more addresses than before, as a sentence, or undefined. */
export function findOriginsSwing(before: OriginsHeader, after: OriginsHeader): string | undefined {
  for (const [at, { of, version }] of SPACES.entries()) {
    const [had = 0, has = 0] = [before.covered[at], after.covered[at]];
    if (Math.abs(has - had) > had * SWING_MAX)
      return `${of} of IPv${version} went from ${had} to ${has} addresses, more than ${SWING_MAX * 100} %`;
  }
  return undefined;
}

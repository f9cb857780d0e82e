import { readHandList } from '@verdict/datasets/build/read-hand-list.js';
import { LISTS_DIR } from '@verdict/datasets/shipped.js';
import { readPackageFile } from './read-package.js';
import type { HandLists } from './snapshot-of-lists.js';

/** The names that the build removes from every list, as of today. */
export function readHandLists(): HandLists {
  const hand = (name: string) => new Set(readHandList(LISTS_DIR, name));
  return {
    relays: hand('relays'),
    knownMail: hand('core-providers'),
    bigDomains: hand('big-domains'),
    placeholders: hand('placeholders'),
    trustedSmall: hand('trusted-small-providers'),
    freemail: new Set(readPackageFile('freemail', 'data/free.txt').split('\n')),
    restrictedSuffixes: hand('restricted-suffixes'),
  };
}

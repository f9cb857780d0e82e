import { setImmediate as nextTurn } from 'node:timers/promises';
import { getPublicSuffix } from 'tldts';
import type { DomainTable } from './domain-table.js';
import { neverDisposable } from './never-disposable.js';

/** Names checked per turn of the event loop: a few milliseconds, so that a load hardly delays a request. */
const CHUNK = 2500;
const hostName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** Proof that a disposable list must not be used: a real provider, a whole public suffix, or text that is not a name. */
export async function findImpossibleName(
  table: DomainTable,
  alsoNever: Iterable<string>,
): Promise<string | undefined> {
  for (const name of [...neverDisposable, ...alsoNever]) {
    if (table.find(name) !== undefined) return `${name} is on the never-list`;
  }
  let checked = 0;
  for (const name of table.names()) {
    if (!hostName.test(name)) return `"${name}" is not a host name`;
    if (getPublicSuffix(name, { allowPrivateDomains: true }) === name) return `${name} is a public suffix`;
    if (++checked % CHUNK === 0) await nextTurn();
  }
  return undefined;
}

import { neverDisposable } from '../never-disposable.js';
import { hasListedParent } from './merge-disposable.js';

/** The last look before anything is written: real providers in the result mean that a rule above is broken. */
export function refuseNeverListed(entries: ReadonlyMap<string, unknown>, alsoNever: Iterable<string>): void {
  const found = [...neverDisposable, ...alsoNever].filter((name) => hasListedParent(name, entries));
  if (found.length > 0) throw new Error(`on the never-list and in the disposable data: ${found.join(', ')}`);
}

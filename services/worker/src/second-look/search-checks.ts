import { setTimeout as pause } from 'node:timers/promises';
import { findSelfOrParent } from '@verdict/datasets/find-self-or-parent.js';
import {
  endSearch,
  placesBetween,
  saveSearched,
  type TakenLook,
} from '@verdict/db/revisions/second-look-queue.js';
import { mailOf } from '@verdict/domain/mail-servers.js';
import type { SecondLookDependencies } from './second-look-work.js';

/** A while of checks that is read at once. */
const SLICE_MS = 3_600_000;
/** Rests after a slice, because the checks of every customer share the same cores. */
const RESTS = 2;

/**
 * Notes the checks on changed names and behind changed mail servers, an hour of checks after the other: no index of names is kept for it, so checks pay
 * nothing. False when the look waits for an operator, or is another worker's.
 */
export async function searchChecks(
  { db, log }: Pick<SecondLookDependencies, 'db' | 'log'>,
  look: TakenLook,
  isOver: () => boolean,
): Promise<boolean> {
  const names = new Set(look.names);
  // A mail server is known by its own list, or as a throw-away domain.
  const servers = new Set([...look.names, ...look.hosts]);
  const end = Date.parse(look.to);
  let from = Date.parse(look.cursor.at);
  while (from < end) {
    if (isOver()) return true;
    const begun = performance.now();
    const slice = { from: new Date(from), to: new Date(Math.min(from + SLICE_MS, end)) };
    const found = await placesBetween(db, slice.from, slice.to);
    const domains = found.flatMap(({ domain }) =>
      findSelfOrParent(domain, names) === undefined ? [] : [domain],
    );
    const mx = [...new Set(found.map((place) => place.mx ?? ''))].filter((text) =>
      mailOf(text)?.hosts.some((host) => findSelfOrParent(host, servers) !== undefined),
    );
    if (!(await saveSearched(db, look, { ...slice, domains: [...new Set(domains)], mx }))) return false;
    from = slice.to.getTime();
    await pause(RESTS * (performance.now() - begun));
  }
  const ended = await endSearch(db, look);
  if (ended?.status === 'held')
    log.error(
      { release: look.release, found: ended.found },
      'the lists changed their mind about too many checks: look at the release, then verdict datasets looks --allow or --refuse',
    );
  return ended?.status === 'revising';
}

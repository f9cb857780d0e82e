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

/** A while of checks is read at once: an hour first, then what has about so many. */
const HOUR_MS = 3_600_000;
const READ_COUNT = 10_000;
/** Rests after a slice, because the checks of every customer share the same cores. */
const RESTS = 7;

/**
 * Notes the checks on changed names and behind changed mail servers, a while of checks after the other: no index of names
 * is kept for it, so checks pay nothing. False when the look waits for an operator, or is another worker's.
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
  let whileMs = HOUR_MS;
  while (from < end) {
    if (isOver()) return true;
    const begun = performance.now();
    const slice = { from: new Date(from), to: new Date(Math.min(from + whileMs, end)) };
    const found = await placesBetween(db, slice.from, slice.to);
    const domains = found.flatMap(({ domain }) =>
      findSelfOrParent(domain, names) === undefined ? [] : [domain],
    );
    const mx = [...new Set(found.map((place) => place.mx ?? ''))].filter((text) =>
      mailOf(text)?.hosts.some((host) => findSelfOrParent(host, servers) !== undefined),
    );
    if (!(await saveSearched(db, look, { ...slice, domains: [...new Set(domains)], mx }))) return false;
    from = slice.to.getTime();
    const count = found.reduce((sum, { checks }) => sum + checks, 0);
    whileMs = Math.min(whileMs * Math.min(2, READ_COUNT / count), 24 * HOUR_MS);
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

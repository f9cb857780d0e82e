import { timeOfId } from '@verdict/domain/id.js';
import { dayOf } from '@verdict/domain/month.js';

/** A gateway dates the id and Redis the check, so around midnight the file may be that of another day. */
const CLOCKS_DIFFER_MS = 300_000;

/** The days on which a check with this id may have been made, the likeliest first. */
export function daysNear(id: string): Set<string> {
  const made = timeOfId(id);
  const near = [made, made + CLOCKS_DIFFER_MS, made - CLOCKS_DIFFER_MS];
  return new Set(near.map((ms) => dayOf(new Date(ms))));
}

import { judge } from './judge.js';

/**
 * The rules' engines of this release by number; the last one judges new checks. An old one stays until its queue and its replay
 * records are gone, so that no check is judged again by other rules.
 */
export const ENGINES: ReadonlyMap<number, typeof judge> = new Map([
  // Rules of the first cannot ask about mail servers, so the second judges its checks alike.
  [1, judge],
  [2, judge],
  // And those of the second not about networks around an IP and shapes of domains.
  [3, judge],
]);

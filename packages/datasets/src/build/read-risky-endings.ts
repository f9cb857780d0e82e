import { readHandList } from './read-hand-list.js';

/** The endings of the hand list, without the odds that they rest on. */
export function readRiskyEndings(listsDir: string): Set<string> {
  return new Set(readHandList(listsDir, 'risky-endings').map((line) => line.split(' ')[0] ?? ''));
}

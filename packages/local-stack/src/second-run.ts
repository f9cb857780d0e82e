import type { FileCount } from './run-test-files.js';
import { sourceOf } from './test-files.js';

/** More than that is not a busy machine. */
const AT_MOST = 2;

/** What only shows now and then is what these look for: one red is red. */
const EXACT = /^(test\/(failure|contract)|packages\/(admission|metering|queues))\//;

/**
 * The red files that are run once more, alone: whole stacks beside each other on a starved machine can make a test wait too
 * long for something that did come. The first failure stays on the screen, and a file that is green alone is counted as
 * unsteady; it is to be mended all the same.
 */
export function mayRunAgain(counts: readonly FileCount[]): readonly string[] {
  const red = counts.filter(({ failed }) => failed > 0).map(({ file }) => file);
  if (red.length > AT_MOST) return [];
  return red.filter((file) => !EXACT.test(sourceOf(file)));
}

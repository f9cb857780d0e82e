import { isDeepStrictEqual } from 'node:util';
import { eventually } from '@verdict/local-stack/eventually.js';
import type { Test } from 'tap';

/** Asserts a value that a page shows, once it does: what one part shows says nothing about when the others do. */
export async function becomes<T>(
  t: Test,
  read: () => Promise<T>,
  wanted: T,
  message = 'the page shows it',
): Promise<void> {
  let last: T | undefined;
  const isThere = async () => {
    last = await read();
    return isDeepStrictEqual(last, wanted);
  };
  await eventually(isThere, { withinMs: 30_000 }).catch(() => undefined); // the assertion says what it was
  t.strictSame(last, wanted, message);
}

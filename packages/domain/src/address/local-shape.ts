/** More digits than a counter has: the number of a customer or a student. */
const COUNTER_DIGITS_MAX = 4;

/** A mailbox name with each number as `#`, so that `user01` and `user02` have one shape; null without a counter. */
export function localShape(local: string): string | null {
  const numbers = local.match(/\d+/g);
  if (!numbers || numbers.some(({ length }) => length > COUNTER_DIGITS_MAX)) return null;
  return local.replaceAll(/\d+/g, '#');
}

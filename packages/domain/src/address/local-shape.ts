/** More digits than a counter has: the number of a customer or a student. */
const COUNTER_DIGITS_MAX = 4;

/** A mailbox name with each number as `#`, so that `user01` and `user02` have one shape; null without a counter. */
export function localShape(local: string): string | null {
  let isNumbered = false;
  let digits = 0;
  // Every check asks, and few names have a counter: a pattern would make a list of their numbers first.
  for (let i = 0; i < local.length; i++) {
    const code = local.charCodeAt(i);
    digits = code >= 48 && code <= 57 ? digits + 1 : 0;
    if (digits > COUNTER_DIGITS_MAX) return null;
    isNumbered ||= digits > 0;
  }
  return isNumbered ? local.replaceAll(/\d+/g, '#') : null;
}

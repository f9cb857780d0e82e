import type { Metering } from './metering.js';

/**
 * Rewrites the payloads of dead letters; returns how many. The record itself stays: it was answered and will be billed once
 * it can be persisted. `redact` gives the new payload, or null for one that may stay.
 */
export async function redactLetters(
  { deadLetters }: Pick<Metering, 'deadLetters'>,
  redact: (payload: unknown) => unknown,
): Promise<number> {
  let count = 0;
  for (const letter of await deadLetters.list()) {
    const payload = redact(letter.payload);
    if (payload === null) continue;
    const redacted = { ...letter, id: `${letter.id}-erased`, payload };
    await deadLetters.add(redacted);
    // Gone already: it was retried meanwhile and is on its way to Postgres, where the next look finds it.
    if (!(await deadLetters.remove(letter.id))) await deadLetters.remove(redacted.id);
    count += 1;
  }
  return count;
}

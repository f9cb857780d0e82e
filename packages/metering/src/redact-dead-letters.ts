import type { Metering } from './metering.js';

/**
 * Rewrites the payloads of dead letters; returns how many. The record stays, because it was answered and will be
 * billed; `redact` returns the new payload, or null to keep the old one.
 */
export async function redactDeadLetters(
  { deadLetters }: Pick<Metering, 'deadLetters'>,
  redact: (payload: unknown) => unknown,
): Promise<number> {
  let count = 0;
  for (const letter of await deadLetters.list()) {
    const payload = redact(letter.payload);
    if (payload === null) continue;
    const redacted = { ...letter, id: `${letter.id}-erased`, payload };
    await deadLetters.add(redacted);
    // Already gone: it was retried meanwhile, and the next look finds it in Postgres.
    if (!(await deadLetters.remove(letter.id))) await deadLetters.remove(redacted.id);
    count += 1;
  }
  return count;
}

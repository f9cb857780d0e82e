import type { DeadLetter } from '@verdict/queues/dead-letters.js';

const ERASED = 'erased@erased.invalid';

/**
 * The dead letter without the address, or null when it does not hold it. The record itself stays: it was answered and
 * will be billed once it can be persisted.
 */
export function redactLetter(letter: DeadLetter, email: string): DeadLetter | null {
  const payload = letter.payload as { checks?: unknown } | null;
  if (
    !JSON.stringify(letter.payload ?? null)
      .toLowerCase()
      .includes(JSON.stringify(email).slice(1, -1))
  )
    return null;
  const records = Array.isArray(payload?.checks) ? payload.checks : [];
  const checks = records.map((record: unknown) => {
    const fields = record as { email?: unknown } | null;
    const holds = typeof fields?.email === 'string' && fields.email.toLowerCase() === email;
    return holds ? { ...fields, email: ERASED, ip: null, reasons: [] } : record;
  });
  return { ...letter, id: `${letter.id}-erased`, payload: { ...payload, checks } };
}

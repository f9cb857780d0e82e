import type { CheckLog } from '@verdict/contracts/check-log-job.js';
import { packCheckLogs, unpackCheckLogs } from '@verdict/contracts/pack-check-logs.js';
import type { DeadLetter } from '@verdict/queues/dead-letters.js';

const ERASED = 'erased@erased.invalid';

/**
 * The dead letter without the address, or null when it does not hold it. The record itself stays: it was answered and
 * will be billed once it can be persisted.
 */
export function redactLetter(letter: DeadLetter, email: string): DeadLetter | null {
  const text = JSON.stringify(letter.payload ?? null).toLowerCase();
  if (!text.includes(JSON.stringify(email).slice(1, -1))) return null;
  const records = unpackCheckLogs(letter.payload) as CheckLog[] | null;
  const payload = records
    ? packCheckLogs(
        records.map((record) => (record?.email?.toLowerCase?.() === email ? redact(record) : record)),
      )
    : redactForeign(letter.payload, email);
  return { ...letter, id: `${letter.id}-erased`, payload };
}

/** A verdict of its own, because others may share the one whose reasons name the address. */
const redact = (check: CheckLog): CheckLog => ({
  ...check,
  email: ERASED,
  ip: null,
  verdict: { ...check.verdict, reasons: [] },
});

/** Of another version, so nobody can tell what its fields are: every text that names the address goes. */
function redactForeign(payload: unknown, email: string): unknown {
  return JSON.parse(JSON.stringify(payload), (_name, value) =>
    typeof value === 'string' && value.toLowerCase().includes(email) ? ERASED : value,
  );
}

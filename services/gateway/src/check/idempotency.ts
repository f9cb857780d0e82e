import { hashOnce } from '@verdict/admission/replay-record.js';
import { invalidField } from '@verdict/service-kit/errors.js';

/** Printable and of a sane length. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** One request with an Idempotency-Key: the hash that names it, and that of everything that decides its answer. */
export interface OnceOnly {
  readonly name: string;
  readonly body: string;
}

/** Only a request with an Idempotency-Key pays for one. */
export function readOnceOnly(
  header: string | string[] | undefined,
  accountId: string,
  request: readonly unknown[],
): OnceOnly | null {
  if (header === undefined) return null;
  const key = String(header);
  if (!KEY.test(key)) throw invalidField('Idempotency-Key', 'must be 1 to 255 printable characters');
  return { name: hashOnce(`${accountId} ${key}`), body: hashOnce(JSON.stringify(request)) };
}

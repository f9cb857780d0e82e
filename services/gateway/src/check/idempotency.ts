import { hashIdempotencyKey } from '@verdict/admission/replay-record.js';
import type { Caller } from '@verdict/redis-store/step.js';
import { invalidField } from '@verdict/service-kit/errors.js';

/** Printable and of a sane length. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** One request with an Idempotency-Key: the hash that names it, and that of everything that decides its answer. */
export interface IdempotentRequest {
  readonly name: string;
  readonly body: string;
}

/** Only a request with an Idempotency-Key pays for one. */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  caller: Caller,
  request: readonly unknown[],
): IdempotentRequest | null {
  if (header === undefined) return null;
  const key = String(header);
  if (!KEY.test(key)) throw invalidField('Idempotency-Key', 'must be 1 to 255 printable characters');
  return {
    name: hashIdempotencyKey(`${spaceOf(caller)} ${key}`),
    body: hashIdempotencyKey(JSON.stringify(request)),
  };
}

/** One for an account, whichever of its keys is sent; test keys have another, and a token one for each key that it names. */
function spaceOf({ accountId, keyId, credential, isTest }: Caller): string {
  if (credential === keyId) return `${accountId} ${keyId}`;
  return isTest ? `${accountId} test` : accountId;
}

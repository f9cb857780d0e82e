import { hash } from 'node:crypto';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import {
  beginIdempotent,
  finishIdempotent,
  type IdempotentRequest,
  prepareIdempotent,
} from '@verdict/redis-store/idempotency.js';
import {
  idempotencyInFlight,
  idempotencyMismatch,
  invalidField,
  unavailable,
} from '@verdict/service-kit/errors.js';
import type { CheckGuard } from './run-check.js';

/** Printable and of a sane length: it is kept for a day. */
const KEY = /^[\x21-\x7e]{1,255}$/;

export type IdempotentStart = { readonly replay: string } | { readonly guard: CheckGuard };

interface Request {
  readonly accountId: string;
  /** The Idempotency-Key header. */
  readonly key: string;
  /** Everything that decides the answer, as text. */
  readonly body: string;
  readonly logId: string;
}

/** The first request with a key gets a guard to run under; a later one gets the first answer, or is told to wait. */
export async function startIdempotent(redis: RedisConnection, request: Request): Promise<IdempotentStart> {
  if (!KEY.test(request.key)) throw invalidField('Idempotency-Key', 'must be 1 to 255 printable characters');
  const owner: IdempotentRequest = {
    accountId: request.accountId,
    keyHash: hash('sha256', request.key, 'hex'),
    ownLogId: request.logId,
  };
  const start = await beginIdempotent(redis, owner, hash('sha256', request.body, 'hex')).catch(away);
  if (start.state === 'mismatch') throw idempotencyMismatch();
  if (start.state === 'in_flight') throw idempotencyInFlight();
  if (start.state === 'replay') return { replay: start.answer };
  return {
    guard: {
      logId: start.logId,
      async prepare(answer) {
        // Whoever took the check over owns its log id now: it is not ours to queue, and not ours to refund.
        if (!(await prepareIdempotent(redis, owner, answer).catch(away))) throw idempotencyInFlight();
      },
      // The lease runs out by itself; an answer whose log is queued must not fail for want of this note.
      finish: (outcome) => finishIdempotent(redis, owner, outcome).catch(() => false),
    },
  };
}

function away(error: unknown): never {
  throw unavailable('idempotency', error);
}

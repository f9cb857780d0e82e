import type { RedisConnection } from './connect.js';
import { heldKey, idempotencyKey, reservedKey, sweptKey } from './keys.js';
import { loadScript } from './script.js';

const runBegin = loadScript('idempotency-begin.lua');
const runPrepare = loadScript('idempotency-prepare.lua');
const runFinish = loadScript('idempotency-finish.lua');

const LIFE_SECONDS = 24 * 60 * 60;
const LEASE_MICROS = 10_000_000;
/** Longer than any request lives: see REQUEST_LIFE_MAX of the sweeper. */
const HOLD_MICROS = 120_000_000;

/** One request with an Idempotency-Key. */
export interface IdempotentRequest {
  readonly accountId: string;
  /** Hash of the header's value: it is the client's text and may be long. */
  readonly keyHash: string;
  /** The log id that was made for this request. It names the owner, even when an earlier log id is taken over. */
  readonly ownLogId: string;
}

export type IdempotentStart =
  /** Go on, under this log id. `prepared` is the answer an earlier attempt noted before it died, if it got that far. */
  | { readonly state: 'new'; readonly logId: string; readonly prepared: string | null }
  | { readonly state: 'replay'; readonly answer: string }
  | { readonly state: 'in_flight' }
  | { readonly state: 'mismatch' };

export async function beginIdempotent(
  redis: RedisConnection,
  { accountId, keyHash, ownLogId }: IdempotentRequest,
  bodyHash: string,
  leaseMicros: number = LEASE_MICROS,
): Promise<IdempotentStart> {
  const keys = [
    idempotencyKey(accountId, keyHash),
    reservedKey(accountId),
    sweptKey(accountId),
    heldKey(accountId),
  ];
  const args = [bodyHash, ownLogId, leaseMicros, HOLD_MICROS, LIFE_SECONDS];
  const [state, text, prepared] = (await runBegin(redis, keys, args)) as [number, string, string];
  if (state === 1) return { state: 'new', logId: text, prepared: prepared === '' ? null : prepared };
  if (state === 2) return { state: 'replay', answer: text };
  return { state: state === 3 ? 'in_flight' : 'mismatch' };
}

/** Call just before the log is queued; false means that the check was taken over: queue nothing, refund nothing, answer 409. */
export async function prepareIdempotent(
  redis: RedisConnection,
  { accountId, keyHash, ownLogId }: IdempotentRequest,
  answer: string,
): Promise<boolean> {
  const args = [ownLogId, answer, LEASE_MICROS];
  return (await runPrepare(redis, [idempotencyKey(accountId, keyHash)], args)) === 1;
}

/**
 * done: queued. release: nobody knows whether it was queued. abandon: it was not; call it before the refund. False when
 * the check was taken over meanwhile: then it is the taker's, and so is its reservation.
 */
export async function finishIdempotent(
  redis: RedisConnection,
  { accountId, keyHash, ownLogId }: IdempotentRequest,
  outcome: 'done' | 'release' | 'abandon',
): Promise<boolean> {
  return (await runFinish(redis, [idempotencyKey(accountId, keyHash)], [ownLogId, outcome])) === 1;
}

import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { normalizeIP } from '@fastify/rate-limit';
import type { AppError } from '@verdict/service-kit/app-error.js';
import { tooManyRequests, unavailable } from '@verdict/service-kit/errors.js';
import type { LeastRate } from '@verdict/service-kit/least-rate.js';
import { monotonicMs } from '@verdict/shares/monotonic-ms.js';
import { createSemaphore, type Refusal, type Semaphore, type Share } from '@verdict/shares/semaphore.js';
import { createTokenBuckets } from '@verdict/shares/token-buckets.js';
import type { FastifyRequest } from 'fastify';
import { verifyToken } from '../auth/verify-token.js';
import { abandon } from './abandon.js';

/** Requests whose answers are read whole, and those that may wait for a connection. */
const CONNECTIONS = 64;
const CONNECTIONS_OF_OWNER = 16;
const CONNECTIONS_QUEUE = 192;
/** Milliseconds of the control plane that an account may take in a burst and a second: more than pages do, or a loop from one address. */
const TIME = { burst: 2_000, perSecond: 250, debtMax: 500, ownersMax: 10_000 };
/** Bodies that arrive and answers that leave, as far as they are held in memory. */
const BYTES = 64 * 1024 * 1024;
/** Nothing weighs less: sockets and buffers cost memory too. */
const BYTES_LEAST = 16 * 1024;
const STREAMS = 32;
const UPLOADS = 16;
const UPLOADS_QUEUE = 32;
/** Longer than it takes to let go of whoever is slower than the rate below. */
const UPLOAD_WAIT_MS = 20_000;
/** Bodies beyond the usual size: one of an owner at a time, because reading megabytes makes V8 collect garbage. */
const LARGE_BODIES = 64;
const LARGE_BODIES_QUEUE = 128;
const LARGE_BODY_REST_MS = 250;
/** Less than a request may take to arrive: its body is read only after its turn has come. */
const LARGE_BODY_WAIT_MS = 8_000;
const RETRY_SECONDS = 1;

/** Less than any modem does; while others need the place it takes a usual line. */
const QUIET_READING = { bytesPerSecond: 4 * 1024, windowMs: 15_000 };
const CROWDED_READING = { bytesPerSecond: 64 * 1024, windowMs: 5_000 };
const QUIET_SENDING = { bytesPerSecond: 16 * 1024, windowMs: 15_000 };
const CROWDED_SENDING = { bytesPerSecond: 512 * 1024, windowMs: 5_000 };

export type ForwardingShares = ReturnType<typeof createForwardingShares>;

/** Shares connections, memory and places for files fairly among the addresses and accounts that call the control plane. */
export function createForwardingShares(now: () => number = monotonicMs) {
  const connections = createSemaphore({
    capacity: CONNECTIONS,
    queueMax: CONNECTIONS_QUEUE,
    ownerMax: CONNECTIONS_OF_OWNER,
  });
  const time = createTokenBuckets({ ...TIME, now });
  const memory = createSemaphore({ capacity: BYTES });
  const streams = createSemaphore({ capacity: STREAMS });
  const uploads = createSemaphore({ capacity: UPLOADS, queueMax: UPLOADS_QUEUE });
  const largeBodies = createSemaphore({
    capacity: LARGE_BODIES,
    queueMax: LARGE_BODIES_QUEUE,
    ownerMax: 1,
  });

  return {
    connectionsMax: CONNECTIONS + STREAMS + UPLOADS,

    /** Memory until the answer has left. Returns what to call with the bytes of the answer, before they are read. */
    bytes(owners: readonly string[], response: ServerResponse, weight = BYTES_LEAST) {
      const share = taken(memory.take(owners, weight));
      releaseWhenLeft(response, share);
      return (bytes: number, body: Readable) => {
        const why = share.resize(Math.max(bytes, BYTES_LEAST));
        if (!why) return;
        abandon(body);
        throw refused(why);
      };
    },

    /** A place for an answer that passes as it is read. */
    stream(owners: readonly string[], response: ServerResponse, body: Readable): void {
      const share = streams.take(owners);
      if (typeof share === 'string') {
        abandon(body);
        throw refused(share);
      }
      releaseWhenLeft(response, share);
    },

    /** A place until it is released; an account that took too much time rests with it, however many addresses it has. */
    async connection(owners: readonly string[], response: ServerResponse) {
      const share = await inQueue(connections, owners, response);
      const begun = now();
      const release = () => {
        const accounts = owners.filter((owner) => !owner.startsWith(ADDRESS));
        for (const account of accounts) time.spend(account, now() - begun);
        share.release(1_000 * Math.max(0, ...accounts.map(time.secondsInDebt)));
      };
      return { release };
    },
    /** Only who waits for others waits: one owner's many files must not raise the rate for all. */
    async upload(owners: readonly string[], response: ServerResponse): Promise<Share> {
      const share = uploads.take(owners);
      return share === 'full' ? inQueue(uploads, owners, response, UPLOAD_WAIT_MS) : taken(share);
    },

    /** The turn of a large body, from before it is read until it was answered. */
    async largeBody(owners: readonly string[], response: ServerResponse): Promise<void> {
      const share = await inQueue(largeBodies, owners, response, LARGE_BODY_WAIT_MS);
      releaseWhenLeft(response, share, LARGE_BODY_REST_MS);
    },

    readingRate: (): LeastRate =>
      memory.free < BYTES / 4 || streams.free < STREAMS / 4 ? CROWDED_READING : QUIET_READING,
    uploadRate: (): LeastRate => (uploads.waiting > 0 ? CROWDED_SENDING : QUIET_SENDING),
  };
}

/** Whose shares a request takes: its address, and its account where the token is good; a forged one must not use up another's. */
export async function ownersOf(request: FastifyRequest): Promise<string[]> {
  const owners = [addressOf(request)];
  const key = request.headers['x-api-key'];
  if (typeof key === 'string') owners.push(`key ${key}`);
  if (request.headers.authorization === undefined) return owners;
  return verifyToken(request).then(
    ({ acc }) => [...owners, `account ${acc}`],
    () => owners,
  );
}

const ADDRESS = 'ip ';

export const addressOf = (request: FastifyRequest): string => `${ADDRESS}${normalizeIP(request.ip)}`;

/** On 'close', which comes when the last byte has left and when the client has. */
function releaseWhenLeft(response: ServerResponse, share: Share, restMs = 0): void {
  if (response.destroyed) share.release();
  else response.once('close', () => share.release(restMs));
}

/** Removes a client that disconnects from the queue. */
function inQueue(
  semaphore: Semaphore,
  owners: readonly string[],
  response: ServerResponse,
  waitMs?: number,
): Promise<Share> {
  return new Promise((resolve, reject) => {
    const place = semaphore.enter(owners, resolve);
    if (typeof place === 'string') return reject(refused(place));
    const giveUp = () => {
      if (place.leave()) reject(refused('full'));
    };
    response.once('close', giveUp);
    if (waitMs !== undefined) setTimeout(giveUp, waitMs).unref();
  });
}

function taken(share: Share | Refusal): Share {
  if (typeof share === 'string') throw refused(share);
  return share;
}

const refused = (why: Refusal): AppError =>
  why === 'many' ? tooManyRequests(RETRY_SECONDS) : unavailable('forwarding: every place is taken');

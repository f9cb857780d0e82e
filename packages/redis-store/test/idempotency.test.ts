import { randomBytes } from 'node:crypto';
import { createIdFactory } from '@verdict/domain/id.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { admit } from '../src/admit.js';
import { connectForRequests } from '../src/connect.js';
import {
  beginIdempotent,
  finishIdempotent,
  type IdempotentRequest,
  prepareIdempotent,
} from '../src/idempotency.js';
import { accountKey, reservedKey, usedField } from '../src/keys.js';
import { projectAccount } from '../src/project.js';
import { monthOfMicros, reservationsBefore, settle, sweepReservations } from '../src/reservations.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url }, 'test');
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});
const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));
const LEASE_OVER = 0;

/** An account with one active key, and what a gateway does for one request. */
async function setUp() {
  const accountId = createId('acc');
  await projectAccount(redis, {
    accountId,
    version: 1,
    plan: 'free',
    limit: 10,
    rate: 1000,
    used: [{ month: monthOfMicros(Date.now() * 1000), checks: 0 }],
    credentials: [{ name: 'key', status: 'active' }],
    listsVersion: 0,
    lists: [],
  });
  const keyHash = randomBytes(16).toString('hex');
  const request = (): IdempotentRequest => ({ accountId, keyHash, ownLogId: createId('log') });
  const admitted = async (logId: string) => {
    const reply = await admit(redis, { accountId, keyId: 'key', credential: 'key' }, [
      { logId, address: 'a@b.example', domain: 'b.example', ip: '' },
    ]);
    if (reply.state !== 'known') throw new Error(reply.state);
    return reply.admissions[0]?.admittedAtMicros ?? 0;
  };
  const used = async () =>
    Number(await redis.hget(accountKey(accountId), usedField(monthOfMicros(Date.now() * 1000))));
  return { accountId, request, admitted, used };
}

t.test('the same key and body replays the first answer; another body is a mismatch', async (t) => {
  const { request } = await setUp();
  const first = request();
  t.strictSame(await beginIdempotent(redis, first, 'body'), {
    state: 'new',
    logId: first.ownLogId,
    prepared: null,
  });
  t.strictSame(await beginIdempotent(redis, request(), 'body'), { state: 'in_flight' });
  t.strictSame(await beginIdempotent(redis, request(), 'other'), { state: 'mismatch' });
  t.equal(await prepareIdempotent(redis, first, 'answer'), true);
  await finishIdempotent(redis, first, 'done');
  t.strictSame(await beginIdempotent(redis, request(), 'body'), { state: 'replay', answer: 'answer' });
  t.strictSame(await beginIdempotent(redis, request(), 'other'), { state: 'mismatch' });
});

t.test('of fifty twins one begins', async (t) => {
  const { request } = await setUp();
  const starts = await Promise.all(
    Array.from({ length: 50 }, () => beginIdempotent(redis, request(), 'body')),
  );
  t.equal(starts.filter(({ state }) => state === 'new').length, 1);
  t.equal(starts.filter(({ state }) => state === 'in_flight').length, 49);
});

t.test('a request that is sent twice because its reply was lost is answered the same', async (t) => {
  const { request } = await setUp();
  const first = request();
  const start = await beginIdempotent(redis, first, 'body');
  t.strictSame(await beginIdempotent(redis, first, 'body'), start);
});

t.test('a retry after a crash before the log was queued takes over the log id and counts once', async (t) => {
  const { request, admitted, used } = await setUp();
  const dead = request();
  await beginIdempotent(redis, dead, 'body', LEASE_OVER);
  const moment = await admitted(dead.ownLogId);
  const retry = await beginIdempotent(redis, request(), 'body');
  t.strictSame(retry, { state: 'new', logId: dead.ownLogId, prepared: null });
  t.equal(await admitted(dead.ownLogId), moment, 'with the first created_at, so the primary key is the same');
  t.equal(await used(), 1);
});

t.test(
  'a retry after the row was persisted replays the prepared answer and is not admitted again',
  async (t) => {
    const { accountId, request, admitted, used } = await setUp();
    const dead = request();
    await beginIdempotent(redis, dead, 'body', LEASE_OVER);
    await admitted(dead.ownLogId);
    await prepareIdempotent(redis, dead, 'answer');
    await settle(redis, new Map([[accountId, [dead.ownLogId]]]));
    await finishIdempotent(redis, dead, 'release');
    t.strictSame(await beginIdempotent(redis, request(), 'body'), { state: 'replay', answer: 'answer' });
    t.equal(await used(), 1);
  },
);

t.test('a retry after the sweeper gave the check back starts over with its own log id', async (t) => {
  const { accountId, request, admitted, used } = await setUp();
  const dead = request();
  await beginIdempotent(redis, dead, 'body', LEASE_OVER);
  await admitted(dead.ownLogId);
  await prepareIdempotent(redis, dead, 'answer');
  await finishIdempotent(redis, dead, 'release');
  const found = await reservationsBefore(redis, accountId, Date.now() * 1000 + 1e6, 10);
  t.equal(await sweepReservations(redis, accountId, found), 1);
  t.equal(await sweepReservations(redis, accountId, found), 0, 'giving back twice gives back once');
  t.equal(await used(), 0);
  const retry = request();
  t.match(await beginIdempotent(redis, retry, 'body'), {
    state: 'new',
    logId: retry.ownLogId,
    prepared: null,
  });
});

t.test('a check that was taken over is safe from a sweeper that looked just before', async (t) => {
  const { accountId, request, admitted, used } = await setUp();
  const dead = request();
  await beginIdempotent(redis, dead, 'body', LEASE_OVER);
  await admitted(dead.ownLogId);
  await prepareIdempotent(redis, dead, 'answer');
  await finishIdempotent(redis, dead, 'release');
  const found = await reservationsBefore(redis, accountId, Date.now() * 1000 + 1e6, 10);
  t.match(await beginIdempotent(redis, request(), 'body'), {
    state: 'new',
    logId: dead.ownLogId,
    prepared: 'answer',
  });
  t.equal(await sweepReservations(redis, accountId, found), 0);
  t.equal(await used(), 1);
  t.ok(await redis.zscore(reservedKey(accountId), dead.ownLogId));
});

t.test('so is one that was taken over before its answer was noted', async (t) => {
  const { accountId, request, admitted, used } = await setUp();
  const dead = request();
  await beginIdempotent(redis, dead, 'body', LEASE_OVER);
  await admitted(dead.ownLogId);
  const found = await reservationsBefore(redis, accountId, Date.now() * 1000 + 1e6, 10);
  t.match(await beginIdempotent(redis, request(), 'body'), { logId: dead.ownLogId, prepared: null });
  t.equal(await sweepReservations(redis, accountId, found), 0);
  t.equal(await used(), 1, 'its log is about to be queued under this id');
});

t.test('a gateway that slept through a takeover may not queue its log', async (t) => {
  const { request } = await setUp();
  const sleeper = request();
  await beginIdempotent(redis, sleeper, 'body', LEASE_OVER);
  const retry = request();
  await beginIdempotent(redis, retry, 'body');
  t.equal(await prepareIdempotent(redis, sleeper, 'late'), false);
  await finishIdempotent(redis, sleeper, 'abandon');
  t.equal(await prepareIdempotent(redis, retry, 'answer'), true, 'and cannot spoil what the retry does');
});

t.test('an abandoned check is forgotten', async (t) => {
  const { request } = await setUp();
  const first = request();
  await beginIdempotent(redis, first, 'body');
  await finishIdempotent(redis, first, 'abandon');
  t.match(await beginIdempotent(redis, request(), 'other'), { state: 'new' });
});

t.test('settled and swept accounts leave nothing behind that does not expire', async (t) => {
  const { accountId, request, admitted } = await setUp();
  const one = request();
  await admitted(one.ownLogId);
  await settle(redis, new Map([[accountId, [one.ownLogId]]]));
  t.equal(await redis.exists(reservedKey(accountId)), 0);
});

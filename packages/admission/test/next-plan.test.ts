import { credentialStatus } from '@verdict/redis-store/credential-status.js';
import { redisNowMicros } from '@verdict/redis-store/redis-now.js';
import { takeTry } from '@verdict/redis-store/take-try.js';
import t from 'tap';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { redis, store, admission, account, submission, check, counted } = setting;

const SMALL = { plan: 'small', limit: 3, rate: 2, remembered: 1, unmetered: 1 };
const HOUR_MICROS = 3_600_000_000;

t.test('a downgrade that lies ahead changes nothing yet', async (t) => {
  const fromMicros = (await redisNowMicros(redis)) + HOUR_MICROS;
  const caller = await account({ limit: 10, next: { ...SMALL, fromMicros } });
  const taken = await admission.take(submission(caller, [check(), check(), check(), check()]));
  t.match(taken, { state: 'granted', account: { plan: 'free', limit: 10, rate: 100_000 } });
});

t.test('from its moment on it holds, with nobody there to project it', async (t) => {
  const fromMicros = await redisNowMicros(redis);
  const caller = await account({ limit: 10, used: 2, next: { ...SMALL, fromMicros } });
  const seen = await admission.look({ caller, count: 1, once: null });
  t.match(seen, { state: 'granted', account: { plan: 'small', limit: 3, rate: 2 } });
  t.match(await admission.take(submission(caller)), { state: 'granted', used: 3 });
  t.match(await admission.take(submission(caller)), { state: 'quota', account: { limit: 3 } });
  t.equal(await counted(caller), 3);
});

t.test('and so does what it remembers in a day', async (t) => {
  const fromMicros = await redisNowMicros(redis);
  const caller = await account({ next: { ...SMALL, rate: 100, limit: 100, fromMicros } });
  const once = (name: string) => ({ name, body: 'b'.repeat(22), rest: '' });
  t.match(await admission.take({ ...submission(caller), once: once('one') }), { state: 'granted' });
  t.match(await admission.take({ ...submission(caller), once: once('two') }), { state: 'remembered' });
});

t.test('and so do the test checks and tries of a day', async (t) => {
  const fromMicros = await redisNowMicros(redis);
  const status = credentialStatus(true, { testRate: 100 });
  const ahead = await account({ status, next: { ...SMALL, fromMicros: fromMicros + HOUR_MICROS } });
  const reached = await account({ status, next: { ...SMALL, fromMicros } });
  for (const caller of [ahead, reached])
    t.match(await admission.take(submission(caller)), { state: 'granted', account: { isTest: true } });
  t.match(await admission.take(submission(ahead)), { state: 'granted' });
  t.match(await admission.take(submission(reached)), { state: 'tests', used: 1, limit: 1 });
  t.match(await takeTry(store, reached.accountId), { used: 1, limit: 1 });
  t.equal(await takeTry(store, ahead.accountId), 'taken');
});

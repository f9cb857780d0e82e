import { startRedis } from '@verdict/local-stack/start-redis.js';
import { connectForRequests, openRedis } from '@verdict/redis-store/connect.js';
import { accountKey, reservedKey } from '@verdict/redis-store/keys.js';
import { projectAccount } from '@verdict/redis-store/project.js';
import t from 'tap';
import { createAdmitter } from '../src/check/admitter.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url }, 'test');
await openRedis(redis);
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});

const month = new Date().toISOString().slice(0, 7);
const outcomes = () => ({ granted: 0, quota: 0, rate: 0, absent: 0, forbidden: 0 });
const admitterOf = (counts = outcomes()) =>
  createAdmitter({ redis, batchMax: 100, waitingMax: 10_000, outcomes: counts, onBatch: () => {} });

async function account(accountId: string, limit: number, credential: string): Promise<void> {
  await projectAccount(redis, {
    accountId,
    version: 1,
    plan: 'free',
    limit,
    rate: 100_000,
    used: [{ month, checks: 0 }],
    credentials: [{ name: credential, status: 'active' }],
    listsVersion: 0,
    lists: [],
  });
}

let made = 0;
const request = () => ({ logId: `log_${made++}`, address: 'a@b.example', domain: 'b.example', ip: '' });
const used = async (accountId: string) => Number(await redis.hget(accountKey(accountId), `u:${month}`));

t.test('two accounts that name the same credential in one batch are judged and charged apart', async (t) => {
  await account('acc_own', 10, 'key_shared');
  await account('acc_other', 10, 'key_else');
  const counts = outcomes();
  const admitter = admitterOf(counts);
  const as = (accountId: string) =>
    admitter.submit({
      caller: { accountId, keyId: 'key_shared', credential: 'key_shared' },
      request: request(),
    });
  const [own, stranger, again] = await Promise.all([as('acc_own'), as('acc_other'), as('acc_own')]);
  t.match(own, { state: 'known', admission: { outcome: 'granted' } });
  t.match(stranger, { state: 'forbidden' });
  t.match(again, { state: 'known', admission: { outcome: 'granted' } });
  t.equal(await used('acc_own'), 2);
  t.equal(await used('acc_other'), 0);
  t.match(counts, { granted: 2, forbidden: 1 });
});

t.test('many accounts in one batch each get their own exact limit', async (t) => {
  const ids = Array.from({ length: 40 }, (_, i) => `acc_many_${i}`);
  await Promise.all(ids.map((id, i) => account(id, i % 4, `tag_${i}`)));
  const admitter = admitterOf();
  const asked = ids.flatMap((accountId, i) =>
    Array.from({ length: 5 }, async () => {
      const caller = { accountId, keyId: `key_${i}`, credential: `tag_${i}` };
      const answer = await admitter.submit({ caller, request: request() });
      return { i, granted: answer.state === 'known' && answer.admission.outcome === 'granted' };
    }),
  );
  const answers = await Promise.all(asked);
  for (let i = 0; i < ids.length; i++) {
    const granted = answers.filter((answer) => answer.i === i && answer.granted).length;
    t.equal(granted, i % 4, `account ${i}`);
  }
});

t.test('an account that Redis cannot decide about fails alone, and is not charged', async (t) => {
  await account('acc_whole', 10, 'tag_whole');
  await account('acc_broken', 10, 'tag_broken');
  await redis.set(reservedKey('acc_broken'), 'not a sorted set');
  const admitter = admitterOf();
  const as = (name: string) =>
    admitter.submit({
      caller: { accountId: `acc_${name}`, keyId: `key_${name}`, credential: `tag_${name}` },
      request: request(),
    });
  const [first, broken, last] = await Promise.allSettled([as('whole'), as('broken'), as('whole')]);
  t.match(first, { value: { state: 'known', admission: { outcome: 'granted' } } });
  t.match(last, { value: { state: 'known', admission: { outcome: 'granted' } } });
  t.match(broken, { status: 'rejected', reason: { name: 'ReplyError', message: /^WRONGTYPE/ } });
  t.equal(await used('acc_whole'), 2);
  t.equal(await used('acc_broken'), 0);
});

t.test(
  'a Redis that is away fails exactly the checks that asked it, and the next ones pass again',
  async (t) => {
    await account('acc_back', 10, 'tag_back');
    const admitter = admitterOf();
    const caller = { accountId: 'acc_back', keyId: 'key_back', credential: 'tag_back' };
    await server.kill();
    await t.rejects(admitter.submit({ caller, request: request() }));
    await server.restart();
    let answer = await admitter.submit({ caller, request: request() }).catch(() => null);
    while (answer === null) answer = await admitter.submit({ caller, request: request() }).catch(() => null);
    t.match(answer, { state: 'known', admission: { outcome: 'granted' } });
  },
);

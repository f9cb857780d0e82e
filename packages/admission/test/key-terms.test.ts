import { ipDigits, parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { type CredentialTerms, credentialStatus } from '@verdict/redis-store/credential-status.js';
import { accountKey } from '@verdict/redis-store/keys.js';
import { projectAccount } from '@verdict/redis-store/project.js';
import type { Caller } from '@verdict/redis-store/step.js';
import t from 'tap';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { redis, store, admission, account, check, submission, counted, queued, fresh } = setting;

const month = new Date().toISOString().slice(0, 7);
const countOfKey = async ({ accountId, keyId }: Caller) =>
  Number(await redis.hget(accountKey(accountId, 1), `q:${month}:${keyId}`));
const withTerms = (terms: CredentialTerms) => account({ status: credentialStatus(true, terms) });
const many = (count: number) => Array.from({ length: count }, () => check());
const network = (text: string): readonly [string, string] => {
  const parsed = parseIpNetwork(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return [parsed.network.first, parsed.network.last];
};

t.test('a key past its end is refused, by the clock of Redis, and says why', async (t) => {
  const ended = await withTerms({ expiresMicros: (Date.now() - 60_000) * 1000 });
  t.match(await admission.take(submission(ended)), { state: 'expired' });
  t.match(await admission.look({ caller: ended, count: 0, once: null }), { state: 'expired' });
  t.equal(await counted(ended), 0);
  const ending = await withTerms({ expiresMicros: (Date.now() + 60_000) * 1000 });
  t.match(await admission.take(submission(ending)), { state: 'granted' });
  const rolled = await withTerms({ quota: 10, endsMicros: 1_000 });
  t.match(
    await admission.take(submission(rolled)),
    { state: 'forbidden' },
    'a rolled secret ends before its key',
  );
});

t.test(
  'a key is good from its networks only, and asks where its caller is only if it has some',
  async (t) => {
    const caller = await withTerms({ from: [network('203.0.113.0/24'), network('2001:db8::/32')] });
    let asked = 0;
    const from = (ip: string) => () => {
      asked++;
      return ipDigits(ip);
    };
    const take = (ip: string) => admission.take({ ...submission(caller), from: from(ip) });
    t.match(await take('203.0.113.255'), { state: 'granted' });
    t.match(await take('203.0.114.0'), { state: 'address' });
    t.match(await take('::ffff:203.0.113.7'), { state: 'granted' }, 'IPv4 by way of IPv6');
    t.match(await take('2001:db8:ffff::1'), { state: 'granted' });
    t.match(await take('2001:db9::'), { state: 'address' });
    t.match(await take('cb00:7100::'), { state: 'address' }, 'the digits of another family');
    t.match(await admission.take(submission(caller)), { state: 'address' }, 'from nowhere');
    const look = { caller, count: 1, once: null };
    t.match(await admission.look({ ...look, from: from('203.0.113.1') }), { state: 'granted' });
    t.match(await admission.look({ ...look, from: from('10.0.0.1') }), { state: 'address' });
    t.equal(await counted(caller), 3);
    await take('203.0.113.1');
    t.equal(admission.isTrusted(caller, from('203.0.113.1')), true);
    t.equal(admission.isTrusted(caller, from('203.0.113.2')), false, 'this one may come from a thief');
    const before = asked;
    await admission.take({ ...submission(await account()), from: from('10.0.0.1') });
    t.equal(asked, before, 'of an ordinary key it is not even worked out');
  },
);

t.test('in one batch each check of a key is judged by its own address', async (t) => {
  const caller = await withTerms({ from: [network('10.0.0.1')] });
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      admission.take({ ...submission(caller), from: () => ipDigits(i % 2 ? '10.0.0.1' : '10.0.0.2') }),
    ),
  );
  t.strictSame(
    outcomes.map(({ state }) => state),
    Array.from({ length: 40 }, (_, i) => (i % 2 ? 'granted' : 'address')),
  );
  t.equal(await counted(caller), 20);
});

t.test('a key does what it is meant for and nothing else', async (t) => {
  const reader = await withTerms({ scopes: ['usage'] });
  t.match(await admission.take(submission(reader)), { state: 'scope' });
  t.match(await admission.look({ caller: reader, count: 0, once: null, scope: 'usage' }), {
    state: 'granted',
  });
  t.match(await admission.look({ caller: reader, count: 0, once: null, scope: 'check' }), { state: 'scope' });
  t.match(await admission.look({ caller: reader, count: 0, once: null }), { state: 'granted' });
  const checker = await withTerms({ scopes: ['check'] });
  t.match(await admission.take(submission(checker)), { state: 'granted' });
  t.match(await admission.look({ caller: checker, count: 0, once: null, scope: 'usage' }), {
    state: 'scope',
  });
});

t.test('exactly as many checks pass as the key has left, singles and batches at once', async (t) => {
  const caller = await withTerms({ quota: 100 });
  const sizes = Array.from({ length: 90 }, (_, i) => (i % 3 === 0 ? 7 : 1));
  const outcomes = await Promise.all(
    sizes.map(async (size) => ({ size, ...(await admission.take(submission(caller, many(size)))) })),
  );
  const passed = outcomes.filter(({ state }) => state === 'granted').reduce((sum, { size }) => sum + size, 0);
  const refused = outcomes.filter(({ state }) => state === 'key_quota');
  t.equal(refused.length, outcomes.filter(({ state }) => state !== 'granted').length);
  t.ok(refused.length > 0);
  t.equal(await countOfKey(caller), passed);
  t.equal(await counted(caller), passed);
  t.equal((await queued(caller)).length, passed);
  // Less than a batch is left; single checks use it up.
  for (let left = 100 - passed; left > 0; left--)
    t.match(await admission.take(submission(caller)), { state: 'granted' });
  t.match(await admission.take(submission(caller)), {
    state: 'key_quota',
    used: 100,
    account: { key: { limit: 100, used: 100 }, limit: 1_000 },
  });
  t.equal(await countOfKey(caller), 100);
  t.equal(admission.isTrusted(caller), false, 'so that the next one costs no scoring');
});

t.test(
  'a quota that comes late finds what the key has used, and a sibling is not touched by it',
  async (t) => {
    const caller = await account({ others: ['sibling'] });
    const sibling = { ...caller, keyId: fresh('key'), credential: 'sibling' };
    for (let i = 0; i < 3; i++) await admission.take(submission(caller));
    const project = (version: number, quota: number) =>
      projectAccount(store, {
        accountId: caller.accountId,
        version,
        plan: 'free',
        limit: 1_000,
        rate: 100_000,
        used: [{ month, checks: 0 }],
        // Rollups are behind the counter here, and ahead of it where Redis came back from an older copy.
        keyUsed: [{ month, keyId: caller.keyId, checks: version === 2 ? 1 : 4 }],
        credentials: [
          { name: caller.credential, status: credentialStatus(true, { quota }) },
          { name: caller.keyId, status: credentialStatus(true, { quota }) },
          { name: 'sibling', status: 'active' },
        ],
        listsVersion: 0,
        lists: [],
      });
    await project(2, 4);
    t.match(await admission.take(submission(caller)), { state: 'granted' });
    t.match(await admission.take(submission(caller)), { state: 'key_quota', used: 4 });
    t.match(await admission.take(submission(sibling)), { state: 'granted' });
    await redis.hset(accountKey(caller.accountId, 1), `q:${month}:${caller.keyId}`, 2);
    await project(3, 5);
    t.equal(await countOfKey(caller), 4, 'never below what is billed');
  },
);

t.test('of a key that is gone nothing stays', async (t) => {
  const caller = await account();
  await admission.take(submission(caller));
  const fields = () => redis.hkeys(accountKey(caller.accountId, 1));
  t.ok((await fields()).some((field) => field.includes(caller.keyId)));
  await projectAccount(store, {
    accountId: caller.accountId,
    version: 2,
    plan: 'free',
    limit: 10,
    rate: 10,
    used: [],
    credentials: [],
    listsVersion: 0,
    lists: [],
  });
  t.notOk((await fields()).some((field) => field.includes(caller.keyId)));
  t.equal(await counted(caller), 1, 'the account keeps its count');
});

t.test('a test key is granted, logged and held to its rate, and counts nowhere', async (t) => {
  const caller = await account({
    status: credentialStatus(true, { testRate: 50 }),
    limit: 5,
    used: 5,
    others: [],
  });
  const outcomes = await Promise.all(Array.from({ length: 60 }, () => admission.take(submission(caller))));
  t.equal(outcomes.filter(({ state }) => state === 'granted').length, 50, 'though the month is used up');
  t.equal(outcomes.filter(({ state }) => state === 'rate').length, 10);
  t.match(outcomes[0], { state: 'granted', used: 5, account: { isTest: true, rate: 50, used: 5, limit: 5 } });
  t.equal(await counted(caller), 5);
  t.equal(await countOfKey(caller), 0);
  t.equal((await queued(caller)).length, 50);
  const ordinary = await account();
  t.match(await admission.take(submission(ordinary)), { account: { isTest: false } });
});

t.test('all test keys of an account share the checks of a day that its plan gives', async (t) => {
  const UNMETERED = 120;
  const status = credentialStatus(true, { testRate: 100_000 });
  const caller = await account({ status, limit: 5, used: 5, others: ['key_other'], unmetered: UNMETERED });
  const other = { ...caller, keyId: 'key_other', credential: 'key_other' };
  const outcomes = await Promise.all(
    Array.from({ length: UNMETERED + 20 }, (_, i) => admission.take(submission(i % 2 ? caller : other))),
  );
  t.equal(outcomes.filter(({ state }) => state === 'granted').length, UNMETERED);
  t.match(outcomes.at(-1), { state: 'tests', used: UNMETERED, limit: UNMETERED });
  t.match(await admission.look({ caller, count: 1, once: null }), { state: 'tests' });
  t.equal(await counted(caller), 5, 'and none of them is metered');
});

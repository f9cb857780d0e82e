import { randomBytes } from 'node:crypto';
import type { ListedValue } from '@verdict/domain/account-list.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { connectForRequests } from '../src/connect.js';
import { forgetAccount } from '../src/forget-account.js';
import { accountKey, listsKey, loginKnownKey, policiesKey } from '../src/keys.js';
import { isKnownPlace, rememberPlaces, returnAttempt, takeAttempt } from '../src/login-attempts.js';
import { readPoliciesText } from '../src/policies-text.js';
import { readPolicyRules, writePolicyRules } from '../src/policy-rules.js';
import { type AccountProjection, projectAccount } from '../src/project.js';
import { projectListChange } from '../src/project-list-change.js';
import { readHook } from '../src/projected-hook.js';
import { readAccount } from '../src/read-account.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
await redis.connect();
const store = { redis, shards: 1 };
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});

const fresh = (name: string) => `${name}_${randomBytes(8).toString('hex')}`;
const domain = (value: string, list: ListedValue['list'] = 'block'): ListedValue => ({
  value,
  list,
  kind: 'domain',
  match: 'exact',
  expires_at: null,
});

const projection = (accountId: string, changes: Partial<AccountProjection> = {}): AccountProjection => ({
  accountId,
  version: 1,
  plan: 'free',
  limit: 1_000,
  rate: 50,
  used: [{ month: '2026-11', checks: 3 }],
  credentials: [{ name: 'a', status: 'active' }],
  listsVersion: 0,
  lists: [],
  ...changes,
});

t.test('the same version brings a hook under another seal, and an older one does not', async (t) => {
  const accountId = fresh('acc');
  const hook = {
    id: fresh('hok'),
    kind: 'generic',
    keyId: 'key_1',
    refuse: ['block'],
    onError: 'allow' as const,
    message: 'No.',
  };
  const sealed = (version: number, secret: string) =>
    projectAccount(store, projection(accountId, { version, hooks: [{ ...hook, secret }] }));
  const secret = async () => (await readHook(store, accountId, hook.id))?.secret;
  t.equal(await sealed(5, 'by the old token'), 'written');
  t.not(await sealed(5, 'by the new token'), 'written');
  t.equal(await secret(), 'by the new token');
  await sealed(4, 'late');
  t.equal(await secret(), 'by the new token');
});

t.test(
  'a newer version replaces plan and credentials, keeps the counters, and an older or equal one is refused',
  async (t) => {
    const accountId = fresh('acc');
    t.equal(await projectAccount(store, projection(accountId, { version: 5 })), 'written');
    await redis.hincrby(accountKey(accountId, 1), 'u:2026-11', 4);
    const newer = projection(accountId, {
      version: 6,
      plan: 'scale',
      limit: 2_500_000_000_000_000,
      used: [{ month: '2026-11', checks: 0 }],
      credentials: [{ name: 'b', status: 'inactive' }],
    });
    t.equal(await projectAccount(store, newer), 'written');
    for (const version of [5, 6])
      t.equal(await projectAccount(store, projection(accountId, { version })), 'refused');
    const hash = await redis.hgetall(accountKey(accountId, 1));
    t.match(hash, { v: '6', plan: 'scale', limit: '2500000000000000', 'k:b': 'inactive', 'u:2026-11': '7' });
    t.notOk('k:a' in hash, 'a credential that is not named is gone');
    t.match(await readAccount(store, accountId, '2026-11'), { version: 6, used: 7, rate: 50 });
    t.equal(await readAccount(store, fresh('acc'), '2026-11'), null);
  },
);

t.test('of a hundred versions in any order the newest stays', async (t) => {
  const accountId = fresh('acc');
  const versions = Array.from({ length: 100 }, (_, i) => i + 1).sort(() => Math.random() - 0.5);
  await Promise.all(
    versions.map((version) =>
      projectAccount(store, projection(accountId, { version, plan: `plan${version}` })),
    ),
  );
  t.equal(await redis.hget(accountKey(accountId, 1), 'plan'), 'plan100');
});

t.test('lists come with the account in one step, and are asked for when they are missing', async (t) => {
  const accountId = fresh('acc');
  const { lists: _none, ...without } = projection(accountId, { version: 2, listsVersion: 2 });
  t.equal(await projectAccount(store, without), 'lists needed');
  t.equal(await redis.exists(accountKey(accountId, 1)), 0, 'nothing was written without them');
  const many = Array.from({ length: 20_000 }, (_, i) => domain(`d${i}.example`));
  t.equal(await projectAccount(store, { ...without, lists: many }), 'written');
  t.equal(await redis.hlen(listsKey(accountId, 1)), 20_000);
  t.equal(await projectAccount(store, { ...without, version: 3 }), 'written', 'same lists: not sent again');
  t.equal(await redis.hget(accountKey(accountId, 1), 'lists'), '20000');
  t.equal(await projectAccount(store, { ...without, version: 4, listsVersion: 4, lists: [] }), 'written');
  t.equal(await redis.exists(listsKey(accountId, 1)), 0);
});

t.test('a change of the lists is taken only as the very next version', async (t) => {
  const accountId = fresh('acc');
  const change = {
    accountId,
    version: 2,
    previousListsVersion: 0,
    added: [domain('a.example')],
    removed: [],
  };
  t.equal(await projectListChange(store, change), false, 'the account is absent');
  await projectAccount(store, projection(accountId));
  t.equal(await projectListChange(store, { ...change, version: 3 }), false, 'a version lies between');
  t.equal(
    await projectListChange(store, { ...change, previousListsVersion: 1 }),
    false,
    'other lists than here',
  );
  t.equal(await projectListChange(store, change), true);
  t.equal(await redis.hget(listsKey(accountId, 1), 'a.example'), 'block:domain');
  const again = { ...change, added: [domain('a.example', 'allow')] };
  t.equal(await projectListChange(store, again), true, 'seen already');
  t.equal(await redis.hget(listsKey(accountId, 1), 'a.example'), 'block:domain', 'and not taken twice');
  const removal = {
    accountId,
    version: 3,
    previousListsVersion: 2,
    added: [],
    removed: [domain('a.example')],
  };
  t.equal(await projectListChange(store, removal), true);
  t.match(await redis.hgetall(accountKey(accountId, 1)), { v: '3', lv: '3', lists: '0' });
});

t.test('attempts beyond the limit wait, simultaneous ones too, and a good login is given back', async (t) => {
  const bucket = fresh('user');
  const waits = await Promise.all(Array.from({ length: 20 }, () => takeAttempt(redis, bucket, 5, 60_000)));
  t.equal(waits.filter((wait) => wait === 0).length, 5);
  t.ok(waits.filter((wait) => wait > 0).every((wait) => wait <= 60_000));
  await returnAttempt(redis, bucket);
  t.equal(await takeAttempt(redis, bucket, 5, 60_000), 0);
  t.not(await takeAttempt(redis, bucket, 5, 60_000), 0);
  await returnAttempt(redis, fresh('nobody'));
});

t.test('an attempt may weigh more than one', async (t) => {
  const bucket = fresh('weighed');
  t.equal(await takeAttempt(redis, bucket, 5, 60_000, 4), 0);
  t.equal(await takeAttempt(redis, bucket, 5, 60_000, 4), 0, 'there was room for one');
  t.not(await takeAttempt(redis, bucket, 5, 60_000, 1), 0);
});

t.test('a user is known at the hundred places that they used last, in a bounded key', async (t) => {
  const user = fresh('user');
  const place = (i: number) => `${i}`.padEnd(32, 'x');
  t.equal(await isKnownPlace(redis, user, place(0)), false);
  await rememberPlaces(redis, user, [place(0)]);
  t.equal(await isKnownPlace(redis, user, place(0)), true);
  t.equal(await isKnownPlace(redis, fresh('user'), place(0)), false);
  for (let i = 1; i <= 300; i++) {
    await rememberPlaces(redis, user, [place(i)]);
    await rememberPlaces(redis, user, [place(1)]);
  }
  t.equal(await isKnownPlace(redis, user, place(0)), false);
  t.equal(await isKnownPlace(redis, user, place(1)), true, 'one in use stays');
  t.equal(await isKnownPlace(redis, user, place(300)), true);
  const bytes = Number(await redis.call('MEMORY', 'USAGE', loginKnownKey(user), 'SAMPLES', '0'));
  t.ok(bytes <= 8_192, `${bytes} bytes`);
});

t.test('versions of a policy are projected with their rules, and the newest two stay', async (t) => {
  const accountId = fresh('acc');
  const use = (version: number, live: number | null, shadow: number | null) => {
    const rules = Object.fromEntries([live, shadow].flatMap((of) => (of === null ? [] : [[of, [of]]])));
    return projectAccount(store, projection(accountId, { version, policies: { live, shadow, rules } }));
  };
  const text = () => redis.hget(accountKey(accountId, 1), 'policies');
  await use(1, 1, 2);
  t.equal(await text(), '1/2');
  t.equal(await readPolicyRules(store, accountId, 2), '[2]');
  for (let live = 3; live <= 14; live++) await use(live, live, 1);
  t.strictSame(
    (await redis.hkeys(policiesKey(accountId, 1))).map(Number).sort((a, b) => a - b),
    [1, 13, 14],
    'two, and the one that is in use',
  );
  await writePolicyRules(store, accountId, 3, ['again']);
  t.equal(await readPolicyRules(store, accountId, 3), '["again"]');
  await use(20, null, null);
  t.equal(await text(), null);
  t.strictSame(readPoliciesText('7/'), { live: 7, shadow: null });
  t.strictSame(readPoliciesText(''), { live: null, shadow: null });
  await forgetAccount(store, accountId, []);
  t.equal(await readPolicyRules(store, accountId, 14), null);
});

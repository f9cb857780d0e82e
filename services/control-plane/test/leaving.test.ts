import { departedAccounts, forgetLateSubjects } from '@verdict/db/accounts/delete-account.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { hashApiKey } from '@verdict/domain/api-key.js';
import { accountKey, identityKey, listsKey, seenKeys } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { forgetDeparted } from '../src/projection/forget-departed.js';
import { createId, rowOf } from './support/check-rows.js';
import { type Customer, PASSWORD, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const ME = '/api/v1/auth/users/me/';
const EXPORT = '/api/v1/dashboard/export/';
const CREATE = '/api/v1/auth/jwt/create/';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const { db, redis } = stores;

/** A user with data of every kind. */
async function settled(): Promise<{ owner: Customer; apiKey: string; keyId: string; blocked: string }> {
  const owner = await plane.customer();
  const made = (await owner.call('POST', '/api/v1/dashboard/keys/', { name: 'till' })).body;
  const blocked = `blocked.${owner.accountId.toLowerCase()}@example.org`;
  await owner.call('POST', '/api/v1/lists/block/', { value: blocked });
  await persistChecks(db, [rowOf(owner.accountId, made.key.id), rowOf(owner.accountId, made.key.id)]);
  return { owner, apiKey: made.api_key, keyId: made.key.id, blocked };
}

const traces = async (accountId: string, userId: string) => {
  const [row] = await db.$queryRaw<Record<string, number>[]>`
    SELECT (SELECT count(*) FROM accounts WHERE id = ${accountId})::int AS accounts,
           (SELECT count(*) FROM users WHERE id = ${userId})::int AS users,
           (SELECT count(*) FROM sessions WHERE user_id = ${userId})::int AS sessions,
           (SELECT count(*) FROM api_keys WHERE account_id = ${accountId})::int AS keys,
           (SELECT count(*) FROM list_entries WHERE account_id = ${accountId})::int AS entries,
           (SELECT count(*) FROM check_subjects WHERE account_id = ${accountId})::int AS subjects`;
  return row;
};
const NOTHING = { accounts: 0, users: 0, sessions: 0, keys: 0, entries: 0, subjects: 0 };

t.test('whoever leaves takes keys, lists, sessions and addresses along; what is billed stays', async (t) => {
  const { owner, apiKey, keyId, blocked } = await settled();
  const { accountId, userId, email } = owner;
  await owner.call('PUT', '/api/v1/billing/subscription/', { plan: 'starter' });
  t.equal((await owner.call('DELETE', ME, { current_password: PASSWORD })).status, 200);
  t.strictSame(await traces(accountId, userId), NOTHING);
  for (const key of [accountKey(accountId, 1), listsKey(accountId, 1), identityKey(hashApiKey(apiKey))]) {
    t.equal(await redis.exists(key), 0, key);
  }
  const logs = await db.$queryRaw<{ checks: number; counted: number; plans: string[] }[]>`
    SELECT (SELECT count(*) FROM check_logs WHERE account_id = ${accountId})::int AS checks,
           (SELECT sum(checks) FROM usage_hourly WHERE account_id = ${accountId} AND key_id = ${keyId})::int AS counted,
           (SELECT array_agg(to_plan ORDER BY id) FROM plan_changes WHERE account_id = ${accountId}) AS plans`;
  t.strictSame(logs, [{ checks: 2, counted: 2, plans: ['free', 'starter', 'none'] }]);
  const audit = await db.auditEvent.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' } });
  t.ok(audit.some(({ action }) => action === 'account.deleted'));
  t.ok(
    audit.every(({ ip }) => ip === null),
    'nor does the audit log say from where',
  );
  t.notMatch(JSON.stringify(audit), blocked);
  t.match(audit.find(({ action }) => action === 'subscription.changed')?.details, { plan: 'starter' });
  t.equal((await owner.call('GET', ME)).status, 401, 'the token is worth nothing any more');
  t.equal((await plane.call('POST', CREATE, { email, password: PASSWORD })).status, 401);
  t.equal((await plane.call('POST', '/api/v1/auth/users/', { email, password: PASSWORD })).status, 201);
});

t.test('a stolen token alone deletes nobody, and is no place to guess passwords at', async (t) => {
  const { owner } = await settled();
  const before = await traces(owner.accountId, owner.userId);
  t.equal((await owner.call('DELETE', ME)).status, 400);
  t.equal((await owner.call('DELETE', ME, {})).status, 400);
  const guesses = [];
  for (let i = 0; i < 12; i++)
    guesses.push((await owner.call('DELETE', ME, { current_password: `guess ${i}` })).status);
  t.strictSame(new Set(guesses), new Set([400, 429]));
  t.strictSame(await traces(owner.accountId, owner.userId), before);
});

t.test(
  'a check that was under way when its account was deleted is counted without its address',
  async (t) => {
    const { owner, keyId } = await settled();
    const { accountId, userId } = owner;
    await owner.call('DELETE', ME, { current_password: PASSWORD });
    t.equal(await persistChecks(db, [rowOf(accountId, keyId)]), 1);
    t.strictSame(await traces(accountId, userId), NOTHING);
    const late = { id: createId('log'), createdAt: new Date(), accountId, email: 'late@example.org' };
    await db.checkSubject.create({ data: { ...late, domain: 'example.org', emailHash: 'h', reasons: [] } });
    t.ok((await forgetLateSubjects(db)) >= 1, 'and what slipped through goes with the next retention');
    t.strictSame(await traces(accountId, userId), NOTHING);
  },
);

t.test('an account that came back to Redis after it was deleted is swept out again', async (t) => {
  const { owner } = await settled();
  await owner.call('DELETE', ME, { current_password: PASSWORD });
  t.ok((await departedAccounts(db, 1)).includes(owner.accountId));
  await redis.hset(accountKey(owner.accountId, 1), 'v', '1');
  await redis.set(listsKey(owner.accountId, 1), 'a blocked address');
  for (const key of seenKeys(owner.accountId, 1)) await redis.hset(key, 'thing', 'members');
  await forgetDeparted({ db, redis, shards: 1 });
  t.equal(await redis.exists(accountKey(owner.accountId, 1)), 0);
  t.equal(await redis.exists(listsKey(owner.accountId, 1)), 0);
  t.equal(await redis.exists(...seenKeys(owner.accountId, 1)), 0);
});

t.test(
  'the export holds everything of the account, a line each, and nothing of another or of a secret',
  async (t) => {
    const stranger = await settled();
    const { owner, apiKey, blocked } = await settled();
    const answer = await owner.call('GET', EXPORT);
    t.equal(answer.status, 200);
    t.match(answer.headers['content-type'], /^application\/x-ndjson/);
    t.match(answer.headers['content-disposition'], /attachment; filename="verdict-export.ndjson"/);
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const count = (type: string) => lines.filter((line) => line.type === type).length;
    for (const [type, expected] of Object.entries({
      account: 1,
      user: 1,
      session: 1,
      key: 1,
      list_entry: 1,
      check: 2,
    }))
      t.equal(count(type), expected, type);
    t.ok(
      count('usage') >= 1 &&
        count('audit_event') >= 4 &&
        count('plan_change') === 1 &&
        count('billing_profile') === 1,
    );
    t.match(
      lines.find((line) => line.type === 'list_entry'),
      { list: 'block', value: blocked },
    );
    t.match(
      lines.find((line) => line.type === 'user'),
      { email: owner.email },
    );
    for (const secret of [
      hashApiKey(apiKey),
      apiKey,
      owner.refresh,
      '$argon2id$',
      stranger.owner.accountId,
      stranger.blocked,
    ])
      t.notOk(answer.text.includes(secret));
  },
);

t.test('an export of thousands of rows holds them all once', async (t) => {
  const { owner, keyId } = await settled();
  const rows = Array.from({ length: 1_203 }, () => rowOf(owner.accountId, keyId));
  await persistChecks(db, rows);
  const { text } = await owner.call('GET', EXPORT);
  const ids = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'check')
    .map(({ id }) => id);
  t.equal(new Set(ids).size, 1_205);
  t.equal(ids.length, 1_205);
});

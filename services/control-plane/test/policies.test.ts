import { INTERNAL_TOKEN_HEADER, policyPath } from '@verdict/contracts/control-plane-api.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { accountKey, policiesKey } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { rowOf } from './support/check-rows.js';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const POLICIES = '/api/v1/policies/';
const LIVE = `${POLICIES}live/`;

const rule = (name: string, then: object, value: unknown = 0) => ({
  name,
  when: { all: [{ field: 'score', op: 'gte', value }] },
  then,
});
const BLOCK = [rule('Block all', { exactly: 'block' })];

const inRedis = (accountId: string) => stores.redis.hget(accountKey(accountId, 1), 'policies');

t.test('a version that no account can have is refused, not failed', async (t) => {
  const { call } = await plane.customer();
  for (const state of ['live', 'shadow'])
    for (const version of [0, -1, 2 ** 31, 2 ** 53])
      t.equal((await call('PUT', `${POLICIES}${state}/`, { version })).status, 400, `${state} ${version}`);
});

t.test(
  'the live version says how many checks each rule matched, and logs find those it decided',
  async (t) => {
    const { call, accountId } = await plane.customer();
    t.strictSame((await call('GET', LIVE)).body, { success: true, live: null });
    await call('POST', POLICIES, {
      rules: [rule('Look', { watch: true }), rule('Ä & b', { exactly: 'review' })],
    });
    await call('PUT', LIVE, { version: 1 });
    const ruled = (watched: number[], policy_rule: number | null) => ({
      ...rowOf(accountId, 'key_x'),
      policy_version: 1,
      policy_rule,
      watched,
    });
    const [decided, watched] = [ruled([0], 1), ruled([0], null)];
    await persistChecks(stores.db, [decided, watched, rowOf(accountId, 'key_x')]);
    t.strictSame((await call('GET', LIVE)).body.live, {
      version: 1,
      rules: [
        { rule: 'Look', today: 2, last_7_days: 2 },
        { rule: 'Ä & b', today: 1, last_7_days: 1 },
      ],
    });
    const found = async (query: string) =>
      (await call('GET', `/api/v1/dashboard/logs/?${query}`)).body.logs.map(({ id }: { id: string }) => id);
    t.strictSame(await found(`rule=${encodeURIComponent('Ä & b')}`), [decided.id]);
    t.strictSame(await found('rule=Look'), [], 'a rule that watches decides nothing');
    t.equal((await call('GET', `/api/v1/dashboard/logs/?rule=${'x'.repeat(161)}`)).status, 400);
    const other = await plane.customer();
    await other.call('POST', POLICIES, {
      rules: [rule('Look', { watch: true }), rule('Ä & b', { exactly: 'review' })],
    });
    await other.call('PUT', LIVE, { version: 1 });
    t.match(
      (await other.call('GET', LIVE)).body.live.rules,
      [{ today: 0 }, { today: 0 }],
      'accounts are apart',
    );
  },
);

t.test('versions are saved, read and made live', async (t) => {
  const { call, accountId, userId } = await plane.customer();
  t.strictSame((await call('GET', POLICIES)).body.policies, []);
  const first = await call('POST', POLICIES, { rules: [rule('Look', { watch: true })], note: 'Relays' });
  t.equal(first.status, 201);
  t.match(first.body.policy, { version: 1, note: 'Relays', created_by: userId, state: 'idle' });
  t.strictSame(first.body.policy.rules, [rule('Look', { watch: true })]);
  t.equal(
    (await call('POST', POLICIES, { rules: [rule('Look', { exactly: 'review' })] })).body.policy.version,
    2,
  );
  t.match((await call('PUT', LIVE, { version: 1 })).body, { success: true, live: 1, previous: null });
  t.equal(await inRedis(accountId), '1/');
  t.match((await call('PUT', `${POLICIES}shadow/`, { version: 2 })).body, { shadow: 2, previous: null });
  t.equal(await inRedis(accountId), '1/2');
  t.strictSame(
    (await stores.redis.hkeys(policiesKey(accountId, 1))).sort(),
    ['1', '2'],
    'with the rules of both',
  );
  const page = (await call('GET', `${POLICIES}?limit=1`)).body;
  t.match(page, {
    live: 1,
    shadow: 2,
    policies: [{ version: 2, state: 'shadow', rule_count: 1 }],
    has_more: true,
  });
  t.notOk('rules' in page.policies[0], 'one version alone has its rules');
  const rest = (await call('GET', `${POLICIES}?limit=1&cursor=${page.next_cursor}`)).body;
  t.match(rest, { policies: [{ version: 1, state: 'live' }], has_more: false });
  t.match((await call('GET', `${POLICIES}1/`)).body.policy, { version: 1, state: 'live' });
  for (const missing of ['3/', '0/', '01/', 'x/', '99999999999/'])
    t.equal((await call('GET', POLICIES + missing)).status, 404, missing);
  t.match((await call('PUT', LIVE, { version: null })).body, { live: null, previous: 1 });
  t.equal(await inRedis(accountId), '/2');
  const audited = (await call('GET', '/api/v1/dashboard/audit/?subject=policy')).body.events;
  t.match(audited, [
    { action: 'policy.live_set', details: { version: null, previous: 1, removed: ['Look'] } },
    { action: 'policy.shadow_set', details: { version: 2, previous: null, added: ['Look'] } },
    { action: 'policy.live_set', details: { version: 1, previous: null, added: ['Look'] } },
    { action: 'policy.created', details: { version: 2 } },
    { action: 'policy.created', details: { version: 1 } },
  ]);
  const events = await stores.db.$queryRaw`
    SELECT data FROM webhook_events WHERE account_id = ${accountId} AND type = 'policy.changed' ORDER BY created_at`;
  t.strictSame(events, [{ data: { live: 1, previous: null } }, { data: { live: null, previous: 1 } }]);
  const exported = (await call('GET', '/api/v1/dashboard/export/')).text;
  t.match(exported, /"type":"policy","id":"2","version":2/);
});

t.test('a refusal names the rule and the field', async (t) => {
  const { call } = await plane.customer();
  for (const [rules, field] of [
    ['x', 'rules'],
    [[rule('', { watch: true })], 'rules[0].name'],
    [[rule('a', { watch: true }), rule('b', { exactly: 'deny' })], 'rules[1].then.exactly'],
    [[rule('a', { watch: true }, 'high')], 'rules[0].when.all[0].value'],
    [[rule('\u0000', { watch: true })], 'rules[0].name'],
    [[rule('a', { watch: true }), { ...rule('b', { watch: true }), ends_at: 'soon' }], 'rules[1].ends_at'],
  ] as const) {
    const refused = await call('POST', POLICIES, { rules });
    t.match(refused, { status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
  }
  t.equal((await call('POST', POLICIES, { rules: [], note: '\ud800' })).status, 400);
  const long = Array.from({ length: 200 }, (_, i) => `${'a'.repeat(60)}.${'b'.repeat(60)}.x${i}.example`);
  const many = Array.from({ length: 3 }, (_, i) => ({
    name: `${i}`,
    when: { all: [{ field: 'domain', op: 'in', value: long }] },
    then: { watch: true },
  }));
  t.ok([400, 413].includes((await call('POST', POLICIES, { rules: many })).status));
  t.strictSame((await call('GET', POLICIES)).body.policies, []);
});

t.test('a race, a version that is missing and a policy that blocks most are refused', async (t) => {
  const { call, accountId } = await plane.customer();
  const { key } = (await call('POST', '/api/v1/dashboard/keys/', { name: 'k' })).body;
  await call('POST', POLICIES, { rules: BLOCK });
  await call('POST', POLICIES, { rules: [rule('High', { exactly: 'block' }, 50)] });
  t.equal((await call('PUT', LIVE, { version: 9 })).status, 404);
  t.match(await call('PUT', LIVE, { version: 1, expect: 2 }), {
    status: 409,
    body: { code: 'policy_conflict' },
  });
  const score = (verdict_score: number) => {
    const row = rowOf(accountId, key.id);
    const verdict = { ...row.verdict, verdict_score, risk_score: verdict_score, extra: [] };
    return { ...row, ip_network: '', verdict };
  };
  await persistChecks(stores.db, [score(0), score(10), score(60), rowOf(accountId, key.id)]);
  t.match(await call('PUT', LIVE, { version: 1, expect: null }), {
    status: 409,
    body: { code: 'policy_blocks_most', share: 1 },
  });
  t.equal(await inRedis(accountId), null);
  t.equal((await call('PUT', LIVE, { version: 2, expect: null })).status, 200, 'a third is not most');
  t.equal((await call('PUT', LIVE, { version: 1, expect: 2, really: true })).status, 200);
  t.match((await call('PUT', LIVE, { version: 1 })).body, { live: 1, previous: 1 });
  t.equal(await inRedis(accountId), '1/');
  await persistChecks(
    stores.db,
    Array.from({ length: 20 }, () => score(95)),
  );
  await call('POST', POLICIES, { rules: [rule('Watched', { watch: true }, 0)] });
  const harmless = await call('PUT', LIVE, { version: 3, expect: 1 });
  t.equal(harmless.status, 200, 'scores that block are not its doing');
});

t.test(
  'rules that end are saved, also after their end, and the guard counts only those that have not',
  async (t) => {
    const { call, accountId } = await plane.customer();
    const { key } = (await call('POST', '/api/v1/dashboard/keys/', { name: 'k' })).body;
    const ending = (ends_at: string) => BLOCK.map((one) => ({ ...one, ends_at }));
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const saved = await call('POST', POLICIES, { rules: ending('2026-01-02T04:04:05+01:00') });
    t.equal(saved.status, 201);
    t.strictSame(saved.body.policy.rules, ending('2026-01-02T03:04:05Z'), 'in UTC');
    t.equal((await call('POST', POLICIES, { rules: ending(inAnHour) })).status, 201);
    t.equal((await call('POST', POLICIES, { rules: BLOCK })).status, 201);
    const row = rowOf(accountId, key.id);
    const verdict = { ...row.verdict, verdict_score: 0, risk_score: 0, extra: [] };
    // A check from before the end of the first version: it would have been blocked, and the next one will not be.
    await persistChecks(stores.db, [{ ...row, created_at: '2026-01-01T00:00:00.000000+00:00', verdict }]);
    t.equal((await call('PUT', LIVE, { version: 1 })).status, 200, 'its rule has ended');
    t.match(await call('PUT', LIVE, { version: 2 }), { status: 409, body: { code: 'policy_blocks_most' } });
    t.equal((await call('PUT', LIVE, { version: 2, really: true })).status, 200);
    t.equal((await call('PUT', LIVE, { version: 3, really: true })).status, 200);
    const [audited] = (await call('GET', '/api/v1/dashboard/audit/?subject=policy')).body.events;
    t.match(audited.details, { version: 3, previous: 2, changed: ['Block all'] }, 'another end is a change');
  },
);

t.test('a gateway has a lost version brought back, of this account only', async (t) => {
  const { call, accountId } = await plane.customer();
  const other = await plane.customer();
  await call('POST', POLICIES, { rules: BLOCK });
  const ask = async (account: string, version: number | string) => {
    const reply = await plane.internal.inject({
      method: 'POST',
      url: policyPath(account, version),
      headers: { [INTERNAL_TOKEN_HEADER]: plane.deps.config.INTERNAL_TOKEN },
    });
    return { status: reply.statusCode, body: reply.json() };
  };
  t.strictSame(await ask(accountId, 1), { status: 200, body: { rules: BLOCK } });
  t.strictSame(JSON.parse((await stores.redis.hget(policiesKey(accountId, 1), '1')) ?? ''), BLOCK);
  t.equal((await ask(other.accountId, 1)).status, 404);
  t.equal((await ask(accountId, 'x')).status, 404);
});

t.test('the shadow report counts what the worker stored since the version was set', async (t) => {
  const { call, accountId } = await plane.customer();
  const SHADOW = `${POLICIES}shadow/`;
  const { key } = (await call('POST', '/api/v1/dashboard/keys/', { name: 'k' })).body;
  t.strictSame((await call('GET', SHADOW)).body, { success: true, shadow: null });
  await call('POST', POLICIES, { rules: [rule('Look', { watch: true }), ...BLOCK] });
  const judged = (shadow: object | null) => ({ ...rowOf(accountId, key.id), shadow });
  const outcome = { version: 1, decision: 'block', risk_score: 85, rule: 1 };
  await persistChecks(stores.db, [judged(outcome)]);
  await call('PUT', SHADOW, { version: 1 });
  t.match((await call('GET', SHADOW)).body.shadow, { judged: 0, matrix: [] }, 'earlier ones are not counted');
  const differing = [judged(outcome), judged({ ...outcome, watched: [0] })];
  await persistChecks(stores.db, [
    ...differing,
    judged({ version: 1 }),
    judged({ version: 1, decision: 'allow', risk_score: 0, rule: null, watched: [0] }),
    judged({ version: 2 }),
    judged(null),
  ]);
  const { shadow } = (await call('GET', SHADOW)).body;
  t.match(shadow, { version: 1, judged: 4, changed: 2 });
  t.strictSame(shadow.hits, [
    { rule: 'Look', checks: 2 },
    { rule: 'Block all', checks: 2 },
  ]);
  t.strictSame(
    new Map(
      shadow.matrix.map((cell: { after: string; checks: number; samples: string[] }) => [
        cell.after,
        [cell.checks, cell.samples.sort()],
      ]),
    ),
    new Map([
      ['allow', [2, []]],
      ['block', [2, differing.map(({ id }) => id).sort()]],
    ]),
  );
  const [set] = (await call('GET', '/api/v1/dashboard/audit/?subject=policy')).body.events;
  t.equal(shadow.since, set.created_at);
});

t.test('an audit entry names five rules of a change and counts the others', async (t) => {
  const customer = await plane.customer();
  const rules = Array.from({ length: 50 }, (_, i) => rule(`Rule ${i}`, { watch: true }));
  t.equal((await customer.call('POST', POLICIES, { rules })).status, 201);
  t.equal((await customer.call('PUT', `${POLICIES}live/`, { version: 1 })).status, 200);
  const [event] = (await customer.call('GET', '/api/v1/dashboard/audit/?limit=1')).body.events;
  t.match(event.details, { added_count: 50, removed: [], changed: [] });
  t.equal(event.details.added.length, 5);
});

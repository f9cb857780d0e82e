import { randomBytes, randomFillSync } from 'node:crypto';
import { get } from 'node:http';
import { createIdFactory } from '@verdict/domain/id.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { accountKey } from '@verdict/redis-store/keys.js';
import { takeTry } from '@verdict/redis-store/take-try.js';
import Fastify from 'fastify';
import t from 'tap';
import { sendCsv } from '../src/http/send-csv.js';
import { type Customer, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const LOGS = '/api/v1/dashboard/logs/';
const CSV = '/api/v1/dashboard/logs.csv';
const USAGE = '/api/v1/dashboard/usage/';
const AUDIT = '/api/v1/dashboard/audit/';
const STATEMENTS = '/api/v1/billing/statements/';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const createId = createIdFactory(Date.now, randomFillSync);
const month = new Date().toISOString().slice(0, 7);

interface StoredCheck {
  readonly email: string | null;
  readonly domain?: string;
  readonly ip?: string | null;
  readonly decision?: string;
  readonly riskScore?: number;
  readonly keyId?: string;
  /** Microseconds after the start of the month. */
  readonly micros?: number;
  readonly reasons?: string[];
}

/** Writes checks as the worker does; returns their log ids in the same order. */
async function store(accountId: string, checks: readonly StoredCheck[]): Promise<string[]> {
  const rows = checks.map((check, i) => ({
    id: createId('log'),
    email: check.email,
    domain: check.domain ?? check.email?.split('@')[1]?.toLowerCase() ?? '',
    ip: check.ip ?? null,
    decision: check.decision ?? 'allow',
    risk_score: check.riskScore ?? 0,
    key_id: check.keyId ?? 'key_00000000000000000000000000',
    created_at: `${month}-01T00:00:00.${String(check.micros ?? i).padStart(6, '0')}+00:00`,
    reasons: check.reasons ?? ['A reason'],
  }));
  const json = JSON.stringify(rows);
  await stores.db.$executeRaw`
    INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
    SELECT r.id, ${accountId}, r.key_id, r.decision, r.risk_score,
      '{"disposable_email":false,"mx_valid":true,"free_provider":false}', '[{"code":"X","points":1}]', 'd/f/r', 'req_1',
      r.created_at::timestamptz
    FROM jsonb_to_recordset(${json}::jsonb)
      AS r(id text, key_id text, decision text, risk_score int, created_at text)`;
  await stores.db.$executeRaw`
    INSERT INTO check_subjects (id, account_id, email, domain, email_hash, ip, reasons, created_at)
    SELECT r.id, ${accountId}, r.email, r.domain, 'hash', r.ip, r.reasons, r.created_at::timestamptz
    FROM jsonb_to_recordset(${json}::jsonb)
      AS r(id text, email text, domain text, ip text, reasons jsonb, created_at text)`;
  return rows.map(({ id }) => id);
}

async function everyPage(customer: Customer, path: string, listKey: string): Promise<{ id: string }[]> {
  const seen: { id: string }[] = [];
  let cursor: string | null = null;
  do {
    const answer = await customer.call('GET', `${path}${cursor ? `&cursor=${cursor}` : ''}`);
    if (answer.status !== 200) throw new Error(answer.text);
    seen.push(...answer.body[listKey]);
    cursor = answer.body.next_cursor;
  } while (cursor);
  return seen;
}

t.test('pages of logs have every check once, also when many share a microsecond', async (t) => {
  const customer = await plane.customer();
  const checks = Array.from({ length: 95 }, (_, i) => ({
    email: `u${i}@a.example`,
    micros: Math.floor(i / 10),
  }));
  const ids = await store(customer.accountId, checks);
  const seen = await everyPage(customer, `${LOGS}?limit=7`, 'logs');
  t.same(new Set(seen.map(({ id }) => id)), new Set(ids));
  t.equal(seen.length, ids.length);
  t.match(seen[0], {
    email: /@a\.example$/,
    ip: null,
    decision: 'allow',
    signals: { mx_valid: true },
    reasons: ['A reason'],
    created_at: /\.000009\+00:00$/,
  });
});

t.test('logs are filtered by decision, key, address, domain, IP, score and time', async (t) => {
  const customer = await plane.customer();
  const keyId = 'key_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  await store(customer.accountId, [
    { email: 'Ann@One.example', ip: '192.0.2.1', decision: 'allow', riskScore: 5, micros: 10 },
    { email: 'bob@one.example', ip: '2001:db8::1', decision: 'block', riskScore: 95, micros: 20, keyId },
    { email: 'cy@two.example', decision: 'review', riskScore: 60, micros: 30 },
    { email: null, domain: 'gone.example', decision: 'challenge', riskScore: 40, micros: 40 },
  ]);
  const count = async (query: string) => (await customer.call('GET', `${LOGS}?${query}`)).body.logs.length;
  t.equal(await count(''), 4);
  t.equal(await count('decision=block'), 1);
  t.equal(await count('decision=block,review'), 2);
  t.equal(await count(`key_id=${keyId}`), 1);
  t.equal(await count('email=ann%40one.example'), 1);
  t.equal(await count('email=nobody%40one.example'), 0);
  t.equal(await count('domain=ONE.example'), 2);
  t.equal(await count('domain=gone.example'), 1, 'aged out: still there, without its address');
  t.equal(await count('ip=192.0.2.1'), 1);
  t.equal(await count('ip=2001:DB8:0::1'), 1);
  t.equal(await count('score_min=40&score_max=60'), 2);
  t.equal(await count(`from=${month}-01T00:00:00.000020Z&to=${month}-01T00:00:00.000040Z`), 2);
  t.equal(await count(`from=${month}-01T00:00:00.000040+00:00`), 1, 'an unescaped plus is understood');
  t.equal(await count(`from=${month}-01&to=${month}-01`), 4, 'a day is taken whole');
  t.equal(await count(`to=${month}-01T00:00:00Z`), 0, 'a moment as to is the end');
  t.equal(await count('decision=block&score_max=50'), 0);
  const wrong = [
    'decision=deny',
    'key_id=x',
    'email=x',
    'domain=x y',
    'ip=1.2.3',
    'score_min=-1',
    'score_max=x',
  ];
  for (const query of [
    ...wrong,
    'from=yesterday',
    'from=0000-01-01T00:00:00Z',
    'nonsense=1',
    'limit=1&limit=2',
  ]) {
    const answer = await customer.call('GET', `${LOGS}?${query}`);
    t.equal(answer.status, 400, query);
    t.ok(answer.body.error);
  }
});

t.test('one log shows how its score came about; an unknown id is a 404', async (t) => {
  const customer = await plane.customer();
  const [id] = await store(customer.accountId, [{ email: 'a@b.example' }]);
  const { body } = await customer.call('GET', `${LOGS}${id}/`);
  t.match(body, {
    success: true,
    log: { id, factors: [{ code: 'X', points: 1 }], datasets: 'd/f/r', request_id: 'req_1' },
  });
  for (const other of [createId('log'), 'log_x', 'key_01ARZ3NDEKTSV4RRFFQ69G5FAV', '%00', 'a%2Fb']) {
    t.equal((await customer.call('GET', `${LOGS}${other}/`)).status, 404, other);
  }
});

t.test('a cursor works for its own account and listing only, and not when it was changed', async (t) => {
  const customer = await plane.customer();
  const other = await plane.customer();
  await store(customer.accountId, [{ email: 'a@b.example' }, { email: 'c@d.example' }]);
  const cursor = (await customer.call('GET', `${LOGS}?limit=1`)).body.next_cursor;
  t.equal((await customer.call('GET', `${LOGS}?cursor=${cursor}`)).body.logs.length, 1);
  const flipped = `${cursor[0] === 'A' ? 'B' : 'A'}${cursor.slice(1)}`;
  const cases: [Customer, string, string][] = [
    [other, LOGS, cursor],
    [customer, AUDIT, cursor],
    [customer, '/api/v1/lists/block/', cursor],
    [customer, LOGS, flipped],
    [customer, LOGS, cursor.slice(0, -1)],
    [customer, LOGS, 'x'],
    [customer, LOGS, ''],
    [customer, LOGS, `.${randomBytes(32).toString('base64url')}`],
  ];
  for (const [caller, path, shown] of cases) {
    const answer = await caller.call('GET', `${path}?cursor=${shown}`);
    t.equal(answer.status, 400, `${path} ${shown}`);
    t.match(answer.body.error, /^cursor: /);
  }
});

t.test('the CSV has every check, no formulas, and only one page in memory', async (t) => {
  const customer = await plane.customer();
  const count = 20_000;
  await store(
    customer.accountId,
    Array.from({ length: count }, (_, i) => ({
      email: i === 7 ? '=cmd@a.example' : `u${i}@a.example`,
      micros: i,
      reasons: i === 8 ? ['+1', 'two'] : ['A "quoted", reason'],
    })),
  );
  await plane.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = plane.app.server.address() as { port: number };
  const reply = await fetch(`http://127.0.0.1:${port}${CSV}`, {
    headers: { authorization: `Bearer ${customer.access}` },
  });
  t.equal(reply.status, 200);
  t.match(reply.headers.get('content-type'), /^text\/csv/);
  t.match(reply.headers.get('content-disposition'), /attachment/);
  const text = await reply.text();
  const lines = text.trim().split('\r\n');
  t.equal(lines.length, count + 1);
  t.equal(new Set(lines.slice(1).map((line) => line.slice(0, 30))).size, count);
  t.match(text, /,'=cmd@a\.example,/);
  t.match(text, /,'\+1; two,/);
  t.equal((await customer.call('GET', `${CSV}?decision=block`)).text.trim().split('\r\n').length, 1);
  t.equal((await customer.call('GET', `${CSV}?decision=no`)).status, 400);
  t.equal((await plane.call('GET', CSV)).status, 401);

  // A client that stops reading must not make us read on.
  let pages = 0;
  async function* endless() {
    for (; ; pages++) yield { id: `log_${pages}` };
  }
  const app = Fastify();
  t.teardown(() => app.close());
  app.get('/', async (_request, answer) => sendCsv(answer, 'x.csv', ['id'], endless()));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port: endlessPort } = app.server.address() as { port: number };
  await new Promise<void>((resolve) => {
    get({ host: '127.0.0.1', port: endlessPort }, (answer) =>
      answer.once('data', () => resolve(void answer.destroy())),
    );
  });
  let last = -1;
  await eventually(() => {
    const still = last === pages;
    last = pages;
    return still;
  });
});

t.test('an answer with sums is bounded, and the CSV has all of them', async (t) => {
  const customer = await plane.customer();
  const KEYS = 1_300;
  const DECISIONS = ['allow', 'challenge', 'review', 'block'];
  const hour = new Date();
  hour.setUTCMinutes(0, 0, 0);
  await stores.db.usageHourly.createMany({
    data: DECISIONS.flatMap((decision) =>
      Array.from({ length: KEYS }, (_, i) => ({
        ...{ accountId: customer.accountId, hour, keyId: `key_${i}`, decision, checks: 1n },
      })),
    ),
  });
  const day = hour.toISOString().slice(0, 10);
  const query = `?from=${day}&to=${day}`;
  t.match(await customer.call('GET', `${USAGE}${query}`), { status: 400, body: { error: /over 5000 sums/ } });
  const { body } = await customer.call('GET', `${USAGE}${query}&decision=block`);
  t.equal(body.rows.length, KEYS);
  const { text } = await customer.call('GET', `/api/v1/dashboard/usage.csv${query}`);
  const lines = text.trim().split('\r\n');
  t.equal(new Set(lines).size, 1 + DECISIONS.length * KEYS, 'each once');
});

t.test('usage is summed by hour or day, key and decision', async (t) => {
  const customer = await plane.customer();
  const { accountId } = customer;
  const at = (day: string, hour: number) =>
    new Date(`${month}-${day}T${String(hour).padStart(2, '0')}:00:00Z`);
  const [one, two] = ['key_01ARZ3NDEKTSV4RRFFQ69G5FAA', 'key_01ARZ3NDEKTSV4RRFFQ69G5FAB'];
  await stores.db.usageHourly.createMany({
    data: [
      { accountId, keyId: one, hour: at('01', 3), decision: 'allow', checks: 5n },
      { accountId, keyId: one, hour: at('01', 4), decision: 'allow', checks: 7n },
      { accountId, keyId: one, hour: at('01', 4), decision: 'block', checks: 2n },
      { accountId, keyId: two, hour: at('02', 0), decision: 'allow', checks: 1n },
    ],
  });
  const range = `from=${month}-01&to=${month}-02`;
  const daily = (await customer.call('GET', `${USAGE}?${range}`)).body;
  t.match(daily, { success: true, by: 'day', total: 15, by_decision: { allow: 13, block: 2, review: 0 } });
  t.same(daily.rows[0], { at: `${month}-01T00:00:00+00:00`, key_id: one, decision: 'allow', checks: 12 });
  const hourly = (await customer.call('GET', `${USAGE}?${range}&by=hour&key_id=${one}`)).body;
  t.same(
    hourly.rows.map(({ at, checks }: { at: string; checks: number }) => [at.slice(11, 13), checks]),
    [
      ['03', 5],
      ['04', 7],
      ['04', 2],
    ],
  );
  t.equal((await customer.call('GET', `${USAGE}?from=${month}-01&to=${month}-01`)).body.total, 14);
  for (const query of [
    `from=${month}-02&to=${month}-01`,
    'from=2020-01-01',
    'from=2026-02-30',
    'by=week',
    'from=x',
  ]) {
    t.equal((await customer.call('GET', `${USAGE}?${query}`)).status, 400, query);
  }
  const overview = (await customer.call('GET', '/api/v1/dashboard/overview/')).body;
  t.match(overview, {
    success: true,
    plan: 'free',
    checks_limit: 1000,
    by_decision: { allow: 13 },
    keys: [],
    keys_max: 5,
    list_entries: { allow: 0, block: 0 },
    bursts: { ALIAS_BURST: 0, DOMAIN_BURST: 0, SEQUENCE: 0, IP_BURST: 0 },
    period: { start: `${month}-01T00:00:00.000Z` },
  });
});

t.test('the overview counts the bursts of today, and says null while they are off', async (t) => {
  const customer = await plane.customer();
  const factors = [['ALIAS_BURST', 'IP_BURST'], ['ALIAS_BURST'], ['PLUS_TAG']];
  for (const [i, codes] of factors.entries()) {
    const json = JSON.stringify(codes.map((code) => ({ code, points: 0 })));
    await stores.db.$executeRaw`
      INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
      VALUES (${`log_burst_${i}`}, ${customer.accountId}, 'key_1', 'allow', 0, '{}', ${json}::jsonb, 'd/f/r', 'req_1', now())`;
  }
  const bursts = async () => (await customer.call('GET', '/api/v1/dashboard/overview/')).body.bursts;
  t.strictSame(await bursts(), { ALIAS_BURST: 2, DOMAIN_BURST: 0, SEQUENCE: 0, IP_BURST: 1 });
  const forgotten = async () =>
    (await customer.call('GET', '/api/v1/dashboard/overview/')).body.bursts_forgotten;
  t.equal(await forgotten(), 0);
  const today = Math.floor(Date.now() / 86_400_000);
  for (const [day, count] of [
    [today, 7],
    [today - 1, 0],
  ]) {
    await stores.redis.hset(accountKey(customer.accountId, 1), 'f', `${day} 7`);
    t.equal(await forgotten(), count, 'what the steps of this day forgot');
  }
  const unmetered = async () => (await customer.call('GET', '/api/v1/dashboard/overview/')).body.unmetered;
  t.strictSame(await unmetered(), { used: 0, limit: 250 });
  await takeTry({ redis: stores.redis, shards: 1 }, customer.accountId);
  t.strictSame(await unmetered(), { used: 1, limit: 250 });
  await customer.call('PATCH', '/api/v1/dashboard/settings/', { bursts: false });
  t.equal(await bursts(), null);
});

t.test(
  'the overview names the IP that nearly all checks of the day carry, and leaves its bursts out',
  async (t) => {
    const overview = async (all: number, alike: number) => {
      const customer = await plane.customer();
      await stores.db.$executeRaw`
      WITH made AS (
        INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
        SELECT ${customer.accountId} || n, ${customer.accountId}, 'key_1', 'allow', 0, '{}', '[{"code":"IP_BURST","points":0}]', 'd/f/r',
          'req_1', now()
        FROM generate_series(1, ${all}::int) n RETURNING id, created_at)
      INSERT INTO check_subjects (id, account_id, email, domain, email_hash, ip, reasons, created_at)
      SELECT id, ${customer.accountId}, 'a@b.example', 'b.example', 'hash',
        CASE WHEN row_number() OVER () <= ${alike}::int THEN '203.0.113.9' ELSE '198.51.100.' || (row_number() OVER () % 250) END,
        '[]', created_at FROM made`;
      return (await customer.call('GET', '/api/v1/dashboard/overview/')).body;
    };
    t.match(await overview(500, 475), { own_proxy: '203.0.113.9', bursts: { ALIAS_BURST: 0 } });
    t.notOk('IP_BURST' in (await overview(500, 500)).bursts);
    t.match(await overview(500, 474), { own_proxy: null, bursts: { IP_BURST: 500 } });
    t.match(await overview(499, 499), { own_proxy: null });
    t.match(await overview(0, 0), { own_proxy: null });
  },
);

t.test('statements are those of the months that metering closed', async (t) => {
  const customer = await plane.customer();
  const { accountId } = customer;
  const statement = (of: string, used: bigint) => ({
    month: new Date(`${of}-01T00:00:00Z`),
    accountId,
    plan: 'free',
    entitled: 1000n,
    used,
    adjusted: 0n,
    over: 0n,
    byDecision: { allow: Number(used) },
    byKey: { key_a: Number(used) },
    closedAt: new Date('2026-11-02T00:00:00Z'),
    text: '{}',
    checksum: 'c'.repeat(64),
  });
  await stores.db.statement.createMany({ data: [statement('2026-09', 10n), statement('2026-10', 20n)] });
  const list = (await customer.call('GET', STATEMENTS)).body.statements;
  t.same(
    list.map(({ month: of, used }: { month: string; used: number }) => [of, used]),
    [
      ['2026-10', 20],
      ['2026-09', 10],
    ],
  );
  t.match((await customer.call('GET', `${STATEMENTS}2026-10/`)).body.statement, {
    month: '2026-10',
    entitled: 1000,
    used: 20,
    by_decision: { allow: 20 },
    by_key: { key_a: 20 },
    closed_at: '2026-11-02T00:00:00.000000+00:00',
  });
  const csv = await customer.call('GET', `${STATEMENTS}2026-10/?format=csv`);
  t.match(csv.headers['content-type'], /^text\/csv/);
  t.match(
    csv.text,
    /\r\n2026-10,free,1000,20,0,0,20,0,0,0,EUR,0,0,0,0,2026-11-02T00:00:00\.000000\+00:00,c{64}\r\n/,
  );
  t.equal((await customer.call('GET', `${STATEMENTS}?format=csv`)).text.trim().split('\r\n').length, 3);
  for (const of of ['2026-11', '2026-13', 'x', '%00']) {
    t.equal((await customer.call('GET', `${STATEMENTS}${of}/`)).status, 404, of);
  }
});

t.test('every change is in the audit log with who, what, when and from where', async (t) => {
  const customer = await plane.customer();
  const headers = { 'x-forwarded-for': '198.51.100.23', 'x-request-id': 'audit-1' };
  const { key } = (await customer.call('POST', '/api/v1/dashboard/keys/', { name: 'k' }, headers)).body;
  const path = `/api/v1/dashboard/keys/${key.id}/`;
  await customer.call('PATCH', path, { active: false });
  await customer.call('POST', `${path}roll/`, {});
  const { entry } = (await customer.call('POST', '/api/v1/lists/block/', { value: 'x.example' })).body;
  await customer.call('POST', '/api/v1/lists/allow/import/', { entries: ['y.example'] });
  await customer.call('DELETE', `/api/v1/lists/block/${entry.id}/`);
  await customer.call('PUT', '/api/v1/billing/subscription/', { plan: 'starter' });
  await customer.call('DELETE', path);
  await customer.call('DELETE', path);
  await customer.call('PATCH', path, { name: 'too late' });
  const events = await everyPage(customer, `${AUDIT}?limit=3`, 'events');
  t.same(
    events.map((event) => (event as unknown as { action: string }).action).reverse(),
    [
      'user.registered',
      'user.logged_in',
      'key.created',
      'key.updated',
      'key.rolled',
      'list.added',
      'list.imported',
      'list.removed',
      'subscription.changed',
      'key.revoked',
    ],
    'once each, and nothing for what changed nothing',
  );
  t.match(events.at(-3), {
    action: 'key.created',
    user_id: customer.userId,
    target: key.id,
    details: { name: 'k' },
    ip: '198.51.100.23',
    request_id: 'audit-1',
  });
});

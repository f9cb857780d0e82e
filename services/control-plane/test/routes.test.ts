import { randomBytes, randomFillSync } from 'node:crypto';
import { dereference } from '@readme/openapi-parser';
import { ErrorBodySchema } from '@verdict/contracts/error-api.js';
import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import { createIdFactory } from '@verdict/domain/id.js';
import t, { type Test } from 'tap';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type Answer, type Customer, PASSWORD, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { SECRETS_KEY: randomBytes(32).toString('base64url') });
const createId = createIdFactory(Date.now, randomFillSync);

/** The owner's data, which a stranger will ask for. */
interface Belongings {
  readonly key: string;
  readonly log: string;
  readonly erasure: string;
  readonly block: string;
  readonly allow: string;
  readonly month: string;
  readonly session: string;
  readonly user: string;
  readonly invitation: string;
  readonly invoice: string;
  readonly endpoint: string;
  readonly delivery: string;
  readonly hook: string;
  readonly job: string;
  readonly policy: string;
  readonly backtest: string;
}

type Isolation =
  /** Needs no token, because it reaches no account. */
  | { readonly open: true; readonly body?: object }
  /** Shows or changes only what the token owns; the answer must not contain anything of the owner's. */
  | {
      readonly own: true;
      readonly body?: object;
      readonly query?: string;
      /** The answer to a query that names something of the owner's. */
      readonly shows?: object;
      /** The answer to a user without data to change, or without a mail server. */
      readonly refused?: number;
      readonly upload?: true;
    }
  /** For operators alone, who reach every account; every other user gets a plain 403. */
  | { readonly operators: true; readonly body?: object }
  /** Names one thing. Another's must sound like one that does not exist. */
  | { readonly named: keyof Belongings; readonly missing: () => string; readonly body?: object };

const id =
  (prefix: 'usr' | 'inv' | 'key' | 'log' | 'lst' | 'ses' | 'whe' | 'whd' | 'hok' | 'job' | 'bkt' | 'era') =>
  () =>
    createId(prefix);

/** Routes of which method, path and callers say all: what a user reads without naming anything, and an operator's. */
const PLAIN = CONTROL_PLANE_ROUTES.flatMap(({ method, path, callers, body }): [string, Isolation][] => {
  const route = `${method} /api/v1${path}`;
  if (callers === 'operator' && body === undefined) return [[route, { operators: true }]];
  const isReading = method === 'GET' && !path.includes(':') && callers !== 'anyone';
  return isReading ? [[route, { own: true }]] : [];
});

/** All routes. A new one that is not plain fails the first test below until it is listed here. */
const MATRIX: Readonly<Record<string, Isolation>> = {
  ...Object.fromEntries(PLAIN),
  'GET /api/v1/openapi.json': { open: true },
  'POST /api/v1/auth/users/': { open: true, body: { email: 'matrix@example.com', password: PASSWORD } },
  'POST /api/v1/auth/jwt/create/': { open: true, body: { email: 'matrix@example.com', password: PASSWORD } },
  'POST /api/v1/auth/jwt/refresh/': { open: true, body: { refresh: 'x' } },
  'POST /api/v1/auth/jwt/verify/': { open: true, body: { token: 'x' } },
  'POST /api/v1/auth/jwt/logout/': { open: true, body: { refresh: 'x' } },
  'GET /api/v1/auth/settings/': { open: true },
  'POST /api/v1/auth/users/activation/': { open: true, body: { token: 'x', password: PASSWORD } },
  'POST /api/v1/auth/users/confirmation/': { open: true, body: { token: 'x' } },
  'POST /api/v1/auth/users/reset_password/': { open: true, body: { email: 'matrix@example.com' } },
  'POST /api/v1/auth/users/reset_password_confirm/': {
    open: true,
    body: { token: 'x', new_password: 'another-otter-88' },
  },
  'POST /api/v1/auth/users/me/confirmation/': { own: true, refused: 403 },
  'PATCH /api/v1/dashboard/settings/': { own: true, body: { bursts: false } },
  'POST /api/v1/auth/second_factor/': { own: true, body: { current_password: PASSWORD } },
  'POST /api/v1/auth/second_factor/confirm/': { own: true, body: { otp: '123456' }, refused: 409 },
  'POST /api/v1/auth/second_factor/recovery_codes/': {
    own: true,
    body: { current_password: PASSWORD },
    refused: 409,
  },
  'DELETE /api/v1/auth/second_factor/': { own: true, body: { current_password: PASSWORD }, refused: 409 },
  'PATCH /api/v1/auth/users/me/': { own: true, body: { name: 'Stranger' } },
  'POST /api/v1/auth/users/me/email/': {
    own: true,
    body: { current_password: PASSWORD, email: 'stranger-moved@example.com' },
  },
  'DELETE /api/v1/auth/users/me/': { own: true, body: { current_password: PASSWORD } },
  'DELETE /api/v1/auth/sessions/': { own: true },
  'DELETE /api/v1/auth/sessions/:id/': { named: 'session', missing: id('ses') },
  'POST /api/v1/auth/users/set_password/': {
    own: true,
    body: { current_password: PASSWORD, new_password: 'another-otter-88' },
  },
  'PATCH /api/v1/members/:id/': { named: 'user', missing: id('usr'), body: { role: 'analyst' } },
  'DELETE /api/v1/members/:id/': { named: 'user', missing: id('usr') },
  'DELETE /api/v1/members/me/': { own: true, refused: 409 },
  'POST /api/v1/members/invitations/': { own: true, body: { email: 'member@example.com', role: 'analyst' } },
  'DELETE /api/v1/members/invitations/:id/': { named: 'invitation', missing: id('inv') },
  'POST /api/v1/members/invitations/accept/': { own: true, body: { token: 'x' }, refused: 400 },
  'POST /api/v1/auth/invitations/': { open: true, body: { token: 'x' } },
  'POST /api/v1/auth/invitations/accept/': { open: true, body: { token: 'x', password: PASSWORD } },
  'POST /api/v1/auth/jwt/switch/': { own: true, body: { account_id: 'acc_x' }, refused: 404 },
  'PUT /api/v1/dashboard/sso/': {
    own: true,
    body: {
      ...{
        issuer: 'https://id.example.com',
        client_id: 'c',
        client_secret: 's',
        domains: ['stranger.example'],
      },
      ...{ default_role: 'analyst', enforce: true },
    },
    refused: 400,
  },
  'DELETE /api/v1/dashboard/sso/': { own: true, refused: 404 },
  'POST /api/v1/dashboard/sso/domains/check/': { own: true, refused: 404 },
  'POST /api/v1/auth/sso/start/': { open: true, body: { email: 'matrix@example.com' } },
  'POST /api/v1/auth/sso/operators/': { open: true },
  'POST /api/v1/auth/sso/finish/': { open: true, body: { query: '?code=x&state=x' } },
  'POST /api/v1/auth/sso/link/': { open: true, body: { password: PASSWORD } },
  'POST /api/v1/dashboard/keys/': { own: true, body: { name: 'k' } },
  'GET /api/v1/dashboard/keys/:id/': { named: 'key', missing: id('key') },
  'PATCH /api/v1/dashboard/keys/:id/': { named: 'key', missing: id('key'), body: { active: false } },
  'DELETE /api/v1/dashboard/keys/:id/': { named: 'key', missing: id('key') },
  'POST /api/v1/dashboard/keys/:id/roll/': { named: 'key', missing: id('key'), body: {} },
  'GET /api/v1/dashboard/logs/:id/': { named: 'log', missing: id('log') },
  'POST /api/v1/outcomes/': {
    own: true,
    body: { items: [{ email: 'canary@subject.example', outcome: 'abuse' }] },
  },
  'GET /api/v1/dashboard/outcomes/precision/': { own: true, refused: 400 },
  'GET /api/v1/dashboard/checks/groups/': { own: true, query: 'by=domain' },
  'POST /api/v1/dashboard/subject.ndjson': { own: true, body: { email: 'canary@subject.example' } },
  'POST /api/v1/dashboard/subject/erase/': { own: true, body: { email: 'canary@subject.example' } },
  'GET /api/v1/dashboard/subject/erasures/:id/': { named: 'erasure', missing: id('era') },
  'POST /api/v1/dashboard/outcomes/proposals/dismiss/': {
    own: true,
    body: { kind: 'domain', value: 'stranger.example', abuse: 3 },
  },
  'POST /api/v1/dashboard/review/claim/': { own: true, body: {} },
  'POST /api/v1/dashboard/review/:id/decide/': {
    named: 'log',
    missing: id('log'),
    body: { outcome: 'abuse' },
  },
  'POST /api/v1/lists/allow/': { own: true, body: { value: 'stranger.example' } },
  'POST /api/v1/lists/block/': { own: true, body: { value: 'other.example' } },
  'POST /api/v1/lists/allow/import/': { own: true, body: { entries: ['imported.example'] } },
  'POST /api/v1/lists/block/import/': { own: true, body: { entries: ['blocked.example'] } },
  'DELETE /api/v1/lists/allow/:id/': { named: 'allow', missing: id('lst') },
  'DELETE /api/v1/lists/block/:id/': { named: 'block', missing: id('lst') },
  'POST /api/v1/policies/': { own: true, body: { rules: [] } },
  'GET /api/v1/policies/:version/': { named: 'policy', missing: () => '999' },
  'POST /api/v1/policies/try/': { own: true, body: { rules: [], email: 'a@example.com' }, refused: 503 },
  'POST /api/v1/policies/:version/backtest/': {
    named: 'policy',
    missing: () => '999',
    body: { from: '2026-11-01', to: '2026-11-02' },
  },
  'GET /api/v1/policies/:version/backtest/': { named: 'policy', missing: () => '999' },
  'GET /api/v1/policies/backtests/:id/': { named: 'backtest', missing: id('bkt') },
  'PUT /api/v1/policies/live/': { own: true, body: { version: null } },
  'PUT /api/v1/policies/shadow/': { own: true, body: { version: null } },
  'GET /api/v1/lists/allow/impact/': {
    own: true,
    query: 'value=canary-block.example',
    shows: { checks: 0, standing: null },
  },
  'GET /api/v1/lists/block/impact/': {
    own: true,
    query: 'value=canary%40subject.example',
    shows: { checks: 0, standing: null },
  },
  'GET /api/v1/dashboard/logs/:id/evidence/': { named: 'log', missing: id('log') },
  'PUT /api/v1/operator/accounts/:id/plan/': { operators: true, body: { plan: 'scale' } },
  'POST /api/v1/operator/accounts/:id/suspend/': { operators: true, body: { reason: 'no' } },
  'POST /api/v1/operator/plan-requests/:id/refuse/': { operators: true, body: { reason: 'no' } },
  'PUT /api/v1/billing/subscription/': { own: true, body: { plan: 'scale' } },
  'GET /api/v1/billing/statements/:month/': { named: 'month', missing: () => '2020-01' },
  'PUT /api/v1/billing/invoice-address/': {
    own: true,
    body: { name: 'Stranger Ltd', address: null, tax_id: null, contact: null, country: 'GB' },
  },
  'DELETE /api/v1/dashboard/keys/:id/old-value/': { named: 'key', missing: id('key') },
  'GET /api/v1/dashboard/keys/:id/networks/': { named: 'key', missing: id('key') },
  'PUT /api/v1/billing/spending/': { own: true, body: { checks_cap: 1, mail_at: [50] } },
  'POST /api/v1/jobs/': { own: true, upload: true },
  'GET /api/v1/jobs/:id/': { named: 'job', missing: id('job') },
  'DELETE /api/v1/jobs/:id/': { named: 'job', missing: id('job') },
  'POST /api/v1/jobs/:id/start/': { named: 'job', missing: id('job') },
  'POST /api/v1/jobs/:id/pause/': { named: 'job', missing: id('job') },
  'POST /api/v1/jobs/:id/cancel/': { named: 'job', missing: id('job') },
  'GET /api/v1/jobs/:id/results/': { named: 'job', missing: id('job') },
  'GET /api/v1/jobs/:id/results.csv': { named: 'job', missing: id('job') },
  'GET /api/v1/jobs/:id/results.ndjson': { named: 'job', missing: id('job') },
  'GET /api/v1/billing/invoices/:number/': { named: 'invoice', missing: () => 'NONE-000001' },
  'POST /api/v1/dashboard/hooks/': { own: true, body: { kind: 'kratos', key_id: 'key_0' }, refused: 400 },
  'GET /api/v1/dashboard/hooks/:id/': { named: 'hook', missing: id('hok') },
  'PATCH /api/v1/dashboard/hooks/:id/': { named: 'hook', missing: id('hok'), body: { on_error: 'refuse' } },
  'DELETE /api/v1/dashboard/hooks/:id/': { named: 'hook', missing: id('hok') },
  'POST /api/v1/dashboard/hooks/:id/test/': {
    named: 'hook',
    missing: id('hok'),
    body: { email: 'a@example.com' },
  },
  'GET /api/v1/dashboard/hooks/:id/deliveries/': { named: 'hook', missing: id('hok') },
  'POST /api/v1/webhooks/endpoints/': { own: true, body: { url: 'https://stranger.example/' } },
  'GET /api/v1/webhooks/endpoints/:id/': { named: 'endpoint', missing: id('whe') },
  'PATCH /api/v1/webhooks/endpoints/:id/': {
    named: 'endpoint',
    missing: id('whe'),
    body: { description: 'mine' },
  },
  'DELETE /api/v1/webhooks/endpoints/:id/': { named: 'endpoint', missing: id('whe') },
  'POST /api/v1/webhooks/endpoints/:id/roll/': { named: 'endpoint', missing: id('whe'), body: {} },
  'POST /api/v1/webhooks/endpoints/:id/test/': { named: 'endpoint', missing: id('whe') },
  'POST /api/v1/webhooks/endpoints/:id/replay/': {
    named: 'endpoint',
    missing: id('whe'),
    body: { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' },
  },
  'GET /api/v1/webhooks/deliveries/:id/': { named: 'delivery', missing: id('whd') },
  'POST /api/v1/webhooks/deliveries/:id/retry/': { named: 'delivery', missing: id('whd') },
};

const registered = plane.routes.flatMap(({ method, url }) => [method].flat().map((each) => `${each} ${url}`));

const upload = (customer: Customer, keyId: string, file: string) =>
  customer.call('POST', `/api/v1/jobs/?api_key_id=${keyId}`, file, { 'content-type': 'text/csv' });

async function ownerWithBelongings(): Promise<{ owner: Customer; belongings: Belongings }> {
  const owner = await plane.customer();
  const { accountId } = owner;
  const { key } = (await owner.call('POST', '/api/v1/dashboard/keys/', { name: 'canary-key' })).body;
  const block = (await owner.call('POST', '/api/v1/lists/block/', { value: 'canary-block.example' })).body
    .entry;
  const allow = (await owner.call('POST', '/api/v1/lists/allow/', { value: 'canary-allow.example' })).body
    .entry;
  const log = createId('log');
  const createdAt = new Date();
  await stores.db.checkLog.create({
    data: {
      id: log,
      accountId,
      keyId: key.id,
      decision: 'block',
      riskScore: 90,
      signals: { disposable_email: true, mx_valid: false, free_provider: false },
      factors: [],
      datasets: 'd',
      requestId: 'req_canary',
      createdAt,
    },
  });
  await stores.db.checkSubject.create({
    data: {
      id: log,
      accountId,
      email: 'canary@subject.example',
      domain: 'subject.example',
      emailHash: 'h',
      ip: '192.0.2.99',
      reasons: ['canary'],
      createdAt,
    },
  });
  await stores.db.review.create({
    data: { id: log, accountId, keyId: key.id, emailHash: 'h', createdAt },
  });
  // A second login of the owner's, so that ending it leaves the first one.
  await plane.call('POST', '/api/v1/auth/jwt/create/', { email: owner.email, password: PASSWORD });
  const sessions = (await owner.call('GET', '/api/v1/auth/sessions/')).body.sessions;
  const session = sessions.find(({ current }: { current: boolean }) => !current).id;
  const { invitation } = (
    await owner.call('POST', '/api/v1/members/invitations/', {
      email: `canary-${owner.userId.toLowerCase()}@example.com`,
      role: 'analyst',
    })
  ).body;
  const { id: erasure } = (
    await owner.call('POST', '/api/v1/dashboard/subject/erase/', { email: 'erased@subject.example' })
  ).body.erasure;
  const month = '2026-10';
  await stores.db.statement.create({
    data: {
      month: new Date(`${month}-01T00:00:00Z`),
      accountId,
      plan: 'free',
      entitled: 1n,
      used: 1n,
      adjusted: 0n,
      over: 0n,
      byDecision: {},
      byKey: {},
      closedAt: createdAt,
      text: 'canary',
      checksum: 'canary',
    },
  });
  const [{ number: invoice } = { number: '' }] = await stores.db.$queryRaw<{ number: string }[]>`
    WITH entity AS (
      INSERT INTO legal_entities (id, name, address, number_prefix) VALUES ('canary', 'Canary', 'Here', 'CANARY-')
      ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING id
    )
    SELECT write_invoice(id, ${JSON.stringify({
      kind: 'invoice',
      account_id: accountId,
      month: '2026-10-01',
      issued_on: '2026-11-01',
      currency: 'EUR',
      subtotal: 1,
      tax_rate: 0,
      tax: 0,
      total: 1,
      document: { buyer: { name: 'canary' }, tax_note: null, lines: [] },
    })}::jsonb) AS number FROM entity`;
  const { endpoint } = (
    await owner.call('POST', '/api/v1/webhooks/endpoints/', { url: 'https://canary-hook.example/' })
  ).body;
  const delivery = (await owner.call('POST', `/api/v1/webhooks/endpoints/${endpoint.id}/test/`)).body
    .delivery_id;
  const { hook } = (await owner.call('POST', '/api/v1/dashboard/hooks/', { kind: 'kratos', key_id: key.id }))
    .body;
  const uploaded = await upload(owner, key.id, 'email\ncanary@subject.example\n');
  const job = uploaded.body.job.id;
  const { policy } = (await owner.call('POST', '/api/v1/policies/', { rules: [], note: 'canary' })).body;
  const { backtest } = (
    await owner.call('POST', `/api/v1/policies/${policy.version}/backtest/`, {
      from: `${month}-01`,
      to: '2026-11-01',
    })
  ).body;
  return {
    owner,
    belongings: {
      ...{ key: key.id, log, erasure, block: block.id, allow: allow.id, month, session, invoice, job },
      user: owner.userId,
      invitation: invitation.id,
      endpoint: endpoint.id,
      hook: hook.id,
      delivery,
      policy: String(policy.version),
      backtest: backtest.id,
    },
  };
}

/** Everything of one account that a request could have changed. */
const stateOf = (accountId: string) => stores.db.$queryRaw`
  SELECT (SELECT jsonb_agg(a) FROM accounts a WHERE a.id = ${accountId}) AS account,
         (SELECT jsonb_agg(u) FROM users u WHERE u.account_id = ${accountId}) AS users,
         (SELECT jsonb_agg(m ORDER BY m.user_id) FROM memberships m WHERE m.account_id = ${accountId}) AS members,
         (SELECT jsonb_agg(i ORDER BY i.id) FROM invitations i WHERE i.account_id = ${accountId}) AS invitations,
         (SELECT jsonb_agg(k ORDER BY k.id) FROM api_keys k WHERE k.account_id = ${accountId}) AS keys,
         (SELECT jsonb_agg(l ORDER BY l.id) FROM list_entries l WHERE l.account_id = ${accountId}) AS lists,
         (SELECT jsonb_agg(p ORDER BY p.version) FROM policies p WHERE p.account_id = ${accountId}) AS policies,
         (SELECT jsonb_agg(b ORDER BY b.id) FROM policy_backtests b WHERE b.account_id = ${accountId}) AS backtests,
         (SELECT jsonb_agg(o ORDER BY o.subject) FROM outcomes o WHERE o.account_id = ${accountId}) AS outcomes,
         (SELECT jsonb_agg(r ORDER BY r.id) FROM reviews r WHERE r.account_id = ${accountId}) AS reviews,
         (SELECT jsonb_agg(d ORDER BY d.subject) FROM dismissed_proposals d WHERE d.account_id = ${accountId}) AS dismissals,
         (SELECT jsonb_agg(e ORDER BY e.id) FROM subject_erasures e WHERE e.account_id = ${accountId}) AS erasures,
         (SELECT jsonb_agg(w ORDER BY w.id) FROM webhook_endpoints w WHERE w.account_id = ${accountId}) AS endpoints,
         (SELECT jsonb_agg(h ORDER BY h.id) FROM hooks h WHERE h.account_id = ${accountId}) AS hooks,
         (SELECT jsonb_agg(d ORDER BY d.id) FROM webhook_deliveries d WHERE d.account_id = ${accountId}) AS deliveries,
         (SELECT jsonb_agg(j ORDER BY j.id) FROM bulk_jobs j WHERE j.account_id = ${accountId}) AS jobs,
         (SELECT count(*)::int FROM audit_events e WHERE e.account_id = ${accountId}) AS events`;

t.test('every registered route is in the isolation matrix, and nothing else is', async (t) => {
  t.same([...registered].sort(), Object.keys(MATRIX).sort());
});

t.test('a stranger’s token reaches nothing of another account on any route', async (t) => {
  const { owner, belongings } = await ownerWithBelongings();
  const before = await stateOf(owner.accountId);
  const secrets = [owner.accountId, owner.userId, owner.email, 'canary', ...Object.values(belongings)].filter(
    (text) => text !== belongings.month && text !== belongings.policy,
  );
  for (const [route, isolation] of Object.entries(MATRIX)) {
    const [method = '', path = ''] = route.split(' ');
    if ('open' in isolation) continue;
    const stranger = await plane.customer();
    const anonymous = await plane.call(method, path.replace(/:\w+/, 'x'), isolation.body);
    t.equal(anonymous.status, 401, `${route} without a token`);
    t.ok(anonymous.body.error);
    if ('operators' in isolation) {
      const refused = await stranger.call(method, path.replace(/:\w+/, owner.accountId), isolation.body);
      t.equal(refused.status, 403, `${route} for a customer`);
      for (const secret of secrets) t.notOk(refused.text.includes(secret), `${route} says nothing`);
      continue;
    }
    if ('upload' in isolation) {
      const refused = await upload(stranger, belongings.key, 'email\na@example.com\n');
      t.match(
        refused,
        { status: 403, body: { code: 'key_not_owned' } },
        `${route} charges no key of another`,
      );
      continue;
    }
    if ('own' in isolation) {
      const asked = isolation.query === undefined ? path : `${path}?${isolation.query}`;
      const answer = await stranger.call(method, asked, isolation.body);
      if (isolation.shows !== undefined) {
        t.match(answer.body, isolation.shows, `${route} counts nothing of the owner's`);
        continue;
      }
      const expected = answer.status < 400 || answer.status === (isolation.refused ?? 503);
      t.ok(expected, `${route} answers its own owner (${answer.status})`);
      for (const secret of secrets)
        t.notOk(answer.text.includes(secret), `${route} says nothing of ${secret}`);
      continue;
    }
    const ask = (named: string) =>
      stranger.call(method, path.replace(/:\w+/, encodeURIComponent(named)), isolation.body);
    const others = await ask(belongings[isolation.named]);
    const missing = await ask(isolation.missing());
    const malformed = await ask("x' OR 1=1 --");
    t.equal(others.status, 404, route);
    t.same([missing.status, missing.body], [others.status, others.body], `${route}: missing sounds the same`);
    t.same([malformed.status, malformed.body], [others.status, others.body], `${route}: malformed too`);
  }
  t.same(await stateOf(owner.accountId), before, 'nothing of the owner has changed');
  for (const [route, isolation] of Object.entries(MATRIX)) {
    if (!('named' in isolation) || !route.startsWith('GET')) continue;
    const path = (route.split(' ')[1] ?? '').replace(/:\w+/, belongings[isolation.named]);
    t.equal((await owner.call('GET', path)).status, 200, `${route} answers the owner`);
  }
});

t.test('fields that nobody asked for are refused, not stored', async (t) => {
  const { call, accountId } = await plane.customer();
  const extras = { account_id: 'acc_x', plan: 'scale', checks_limit: 1e9, status: 'active', id: 'key_x' };
  for (const [name, value] of Object.entries(extras)) {
    const answer = await call('POST', '/api/v1/dashboard/keys/', { name: 'k', [name]: value });
    t.equal(answer.status, 400, name);
    t.match(answer.body.error, new RegExp(`^${name}: is not a known field`));
  }
  const polluted = await call('POST', '/api/v1/dashboard/keys/', '{"name":"k","__proto__":{"active":true}}', {
    'content-type': 'application/json',
  });
  t.equal(polluted.status, 400);
  t.equal(await stores.db.apiKey.count({ where: { accountId } }), 0);
});

interface Operation {
  readonly responses: Record<string, { content?: Record<string, { schema: TSchema }> }>;
  readonly security?: object[];
  readonly requestBody?: { content: Record<string, { schema: TSchema }> };
}

interface Document {
  readonly security?: unknown;
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

const document = (await dereference(
  (
    await plane.call('GET', '/api/v1/openapi.json')
  ).body as never,
)) as Document;

/** The same path as the document writes it: {id} for :id. */
const documented = (path: string) => path.replace(/:(\w+)/g, '{$1}');

function held(t: Test, method: string, path: string, answer: Answer): void {
  const operation = document.paths[documented(path)]?.[method.toLowerCase()];
  const schema = operation?.responses[answer.status]?.content?.['application/json']?.schema;
  if (!schema) {
    t.fail(`${method} ${path} ${answer.status} is not in the document`);
    return;
  }
  const faults = [...Value.Errors(schema, answer.body)].map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  );
  t.same(faults, [], `${method} ${path} ${answer.status} is as documented`);
}

const securityOf = (path: string, open: boolean): object[] => {
  if (open) return [];
  const takesKeys = /\/v1\/(jobs|lists|outcomes|policies)\//.test(path);
  return takesKeys ? [{ api_key: [] }, { bearer: [] }] : [{ bearer: [] }];
};

t.test('the document is OpenAPI 3.1 and has every route, the three of the gateway included', async (t) => {
  t.match(document.openapi, /^3\.1\./);
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = registered.map(documented).filter((route) => !route.endsWith('openapi.json'));
  const gateway = [
    'POST /api/v1/check/',
    'POST /api/v1/check/batch/',
    'POST /api/v1/hooks/{id}/',
    'POST /api/v1/try/',
    'GET /api/v1/status/',
    'GET /api/v1/usage/',
  ];
  t.same(described.sort(), [...served, ...gateway].sort());
  for (const [route, isolation] of Object.entries(MATRIX)) {
    const [method = '', path = ''] = route.split(' ');
    const operation = document.paths[documented(path)]?.[method.toLowerCase()];
    if (operation)
      t.same(
        operation.security ?? document.security,
        securityOf(path, 'open' in isolation),
        `security of ${route}`,
      );
  }
});

t.test('live answers are as the document says, successes and failures alike', async (t) => {
  const { owner, belongings } = await ownerWithBelongings();
  for (const [route, isolation] of Object.entries(MATRIX)) {
    const [method = '', path = ''] = route.split(' ');
    if (/\.csv|\.ndjson|openapi|export\//.test(route) || 'upload' in isolation) continue;
    const caller =
      route.startsWith('DELETE') || /roll|start|pause|cancel/.test(route)
        ? await ownerWithBelongings()
        : { owner, belongings };
    const named = 'named' in isolation ? caller.belongings[isolation.named] : '';
    const query = 'query' in isolation && isolation.query !== undefined ? `?${isolation.query}` : '';
    const real = `${path.replace(/:\w+/, named)}${query}`;
    const answer = await caller.owner.call(method, real, isolation.body);
    held(t, method, path, answer);
    if (!('open' in isolation)) held(t, method, path, await plane.call(method, real, isolation.body));
    if ('named' in isolation)
      held(t, method, path, await caller.owner.call(method, path.replace(/:\w+/, 'x'), isolation.body));
    if (isolation.body) {
      const refused = await caller.owner.call(method, real, { nonsense: true });
      if (route.includes('roll') || refused.status === 400) held(t, method, path, refused);
      t.ok(Value.Check(ErrorBodySchema, refused.body), `${route} refuses with an error`);
    }
    if (route.includes('set_password')) {
      // The others must still log in with the password that they know.
      await owner.call(method, path, { current_password: 'another-otter-88', new_password: PASSWORD });
    }
  }
});

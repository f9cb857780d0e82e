import { INTERNAL_TOKEN_HEADER } from '@verdict/contracts/control-plane-api.js';
import { KEY_USES_PATH } from '@verdict/contracts/key-uses.js';
import { OPERATOR_ROUTES } from '@verdict/contracts/routes/operator-routes.js';
import { operatorRolesOf } from '@verdict/contracts/routes/rights.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import { noteQueue, noteReconciliation } from '@verdict/db/database/observations.js';
import { maskedName } from '@verdict/domain/masked-name.js';
import { OPERATOR_ROLES } from '@verdict/domain/role.js';
import { addLoad } from '@verdict/redis-store/account-load.js';
import t from 'tap';
import { type Customer, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const OPERATOR = '/api/v1/operator';
const KEYS = '/api/v1/dashboard/keys/';
const SUBSCRIPTION = '/api/v1/billing/subscription/';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { PLAN_CHANGES: 'operator' });

async function newOperator(): Promise<Customer> {
  const operator = await plane.customer();
  await stores.db.user.update({ where: { id: operator.userId }, data: { operator: true } });
  return operator;
}
const operator = await newOperator();
const actionsOf = async (customer: Customer): Promise<string[]> =>
  (await customer.call('GET', '/api/v1/dashboard/audit/')).body.events.map(
    ({ action }: { action: string }) => action,
  );

t.test(
  'who is an operator is told so, and is none from the moment on in which it is taken away',
  async (t) => {
    const one = await newOperator();
    t.equal((await one.call('GET', '/api/v1/auth/users/me/')).body.user.operator, true);
    t.equal((await one.call('GET', `${OPERATOR}/accounts/`)).status, 200);
    await stores.db.user.update({ where: { id: one.userId }, data: { operator: false } });
    t.equal((await one.call('GET', `${OPERATOR}/accounts/`)).status, 403);
    t.equal((await one.call('GET', '/api/v1/auth/users/me/')).body.user.operator, false);
  },
);

t.test('every route of operators answers exactly the roles that the table of rights names', async (t) => {
  const routes = Object.values<Route>(OPERATOR_ROUTES);
  t.ok(routes.length >= 14);
  for (const role of OPERATOR_ROLES) {
    const one = await newOperator();
    await stores.db.user.update({ where: { id: one.userId }, data: { operatorRole: role } });
    t.equal((await one.call('GET', '/api/v1/auth/users/me/')).body.user.operator_role, role);
    for (const route of routes) {
      const path = `/api/v1${route.path.replace(/:\w+/, 'x')}`;
      const { status, body } = await one.call(route.method, path, route.body && {});
      const name = `${route.method} ${route.path} as ${role}`;
      if (operatorRolesOf(route)?.includes(role)) t.not(status, 403, name);
      else t.match({ status, body }, { status: 403, body: { code: 'role_missing' } }, name);
    }
  }
});

t.test('accounts are shown with plan, use and state, and no address of a customer', async (t) => {
  const customer = await plane.customer();
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  const { accountId } = customer;
  await stores.db.usageHourly.create({
    data: { accountId, keyId: 'key_x', hour, decision: 'allow', checks: 7n },
  });
  const found = await operator.call('GET', `${OPERATOR}/accounts/?q=${accountId}`);
  t.match(found.body.accounts, [
    { id: accountId, plan: 'free', state: 'active', checks_used: 7, checks_limit: 1000 },
  ]);
  const byLogin = await operator.call('GET', `${OPERATOR}/accounts/?q=${encodeURIComponent(customer.email)}`);
  t.equal(byLogin.body.accounts[0]?.id, accountId, 'who knows the login finds the account');
  const all = await operator.call('GET', `${OPERATOR}/accounts/?limit=500`);
  for (const answer of [found, byLogin, all]) t.notOk(answer.text.includes(customer.email));
  t.match(byLogin.body.accounts[0]?.name, /^.\*\*\*@example\.com$/);

  await stores.db.usageHourly.updateMany({ where: { accountId }, data: { checks: 1_000n } });
  const spent = await operator.call('GET', `${OPERATOR}/accounts/${accountId}/`);
  t.equal(spent.body.account.state, 'used_up');
  t.equal((await operator.call('GET', `${OPERATOR}/accounts/acc_nobody/`)).status, 404);
});

t.test('an account that stopped at its own cap is shown as used up', async (t) => {
  const { accountId, call } = await plane.customer();
  const path = `${OPERATOR}/accounts/${accountId}/`;
  await operator.call('PUT', `${path}plan/`, { plan: 'scale' });
  const cap = (plane.deps.plans.get('scale')?.checksPerMonth ?? 0) + 1_000;
  await call('PUT', '/api/v1/billing/spending/', { checks_cap: cap, mail_at: [] });
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  const used = { accountId, keyId: 'key_x', hour, decision: 'allow', checks: BigInt(cap) };
  await stores.db.usageHourly.create({ data: used });
  const { account } = (await operator.call('GET', path)).body;
  t.match(account, { plan: 'scale', state: 'used_up', checks_used: cap, checks_limit: cap });
});

t.test(
  'an account is suspended and resumed, and shown with its keys and actions, without addresses',
  async (t) => {
    const customer = await plane.customer();
    const { key } = (await customer.call('POST', '/api/v1/dashboard/keys/', { name: 'Shop' })).body;
    await customer.call('POST', '/api/v1/lists/block/', { value: 'person@checked.example' });
    const path = `${OPERATOR}/accounts/${customer.accountId}/`;
    const suspended = await operator.call('POST', `${path}suspend/`, { reason: 'unpaid' });
    t.match(suspended.body, {
      suspended_reason: 'unpaid',
      keys: [{ id: key.id, name: 'Shop', status: 'active' }],
    });
    t.match(suspended.body.events.slice(0, 3), [
      { action: 'account.suspended', by: 'operator' },
      { action: 'list.added', by: 'customer' },
      { action: 'key.created', by: 'customer' },
    ]);
    t.notOk(suspended.text.includes(customer.email));
    t.notOk(suspended.text.includes('checked.example'), 'nothing that a customer listed');
    t.match((await operator.call('POST', `${path}resume/`)).body, { suspended_at: null });
    t.strictSame((await actionsOf(customer)).slice(0, 2), ['account.resumed', 'account.suspended']);
    t.strictSame((await actionsOf(operator)).slice(0, 2), [
      'operator.account_resumed',
      'operator.account_suspended',
    ]);
    t.equal((await operator.call('POST', `${path}password-reset/`)).status, 403, 'this server sends no mail');
    t.equal((await operator.call('POST', `${path}suspend/`, {})).status, 400, 'a reason is asked for');
    t.equal((await operator.call('POST', `${OPERATOR}/accounts/acc_nobody/resume/`)).status, 404);
  },
);

t.test('accounts come in pages, each once', async (t) => {
  for (let i = 0; i < 3; i++) await plane.customer();
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await operator.call('GET', `${OPERATOR}/accounts/?limit=2${cursor}`);
    seen.push(...page.body.accounts.map(({ id }: { id: string }) => id));
    cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
  } while (cursor !== '');
  t.equal(new Set(seen).size, seen.length);
  t.equal(seen.length, await stores.db.account.count());
});

t.test('a plan that was asked for is granted once, and both sides can read that it was', async (t) => {
  const customer = await plane.customer();
  t.equal((await customer.call('PUT', SUBSCRIPTION, { plan: 'growth' })).status, 202);
  const { requests } = (await operator.call('GET', `${OPERATOR}/plan-requests/`)).body;
  const asked = requests.find(({ account_id }: { account_id: string }) => account_id === customer.accountId);
  t.match(asked, { plan: 'growth', current_plan: 'free', status: 'open', account_name: /\*\*\*@/ });
  const granted = await operator.call('POST', `${OPERATOR}/plan-requests/${asked.id}/grant/`);
  t.match(granted.body, { request: { status: 'granted', current_plan: 'growth' } });
  t.match((await customer.call('GET', SUBSCRIPTION)).body, {
    plan: 'growth',
    plan_request: { status: 'granted' },
  });
  const again = await operator.call('POST', `${OPERATOR}/plan-requests/${asked.id}/grant/`);
  t.equal(again.status, 409);
  t.equal(again.body.code, 'request_decided');
  t.ok((await actionsOf(customer)).includes('subscription.granted'));
  t.ok((await actionsOf(operator)).includes('operator.plan_granted'));
  const mine = await customer.call('GET', '/api/v1/dashboard/audit/');
  t.notOk(mine.text.includes(operator.userId), 'the customer learns that an operator did it, not which');
});

t.test('a plan that was asked for is refused with a reason that the customer reads', async (t) => {
  const customer = await plane.customer();
  await customer.call('PUT', SUBSCRIPTION, { plan: 'scale' });
  const { requests } = (await operator.call('GET', `${OPERATOR}/plan-requests/`)).body;
  const asked = requests.find(({ account_id }: { account_id: string }) => account_id === customer.accountId);
  const path = `${OPERATOR}/plan-requests/${asked.id}/refuse/`;
  t.equal((await operator.call('POST', path, {})).status, 400, 'never without one');
  const reason = 'Tell us first what it is for.';
  t.match((await operator.call('POST', path, { reason })).body, { request: { status: 'refused', reason } });
  t.match((await customer.call('GET', SUBSCRIPTION)).body, {
    plan: 'free',
    plan_request: { status: 'refused', reason },
  });
  t.equal((await operator.call('POST', path, { reason })).status, 409);
  t.equal((await operator.call('POST', `${OPERATOR}/plan-requests/plr_x/refuse/`, { reason })).status, 404);
  t.ok((await actionsOf(operator)).includes('operator.plan_refused'));
});

t.test('an operator sets a plan without being asked', async (t) => {
  const { accountId } = await plane.customer();
  const path = `${OPERATOR}/accounts/${accountId}/plan/`;
  t.match((await operator.call('PUT', path, { plan: 'starter' })).body, { account: { plan: 'starter' } });
  t.equal((await operator.call('PUT', path, { plan: 'nonsense' })).status, 400);
  t.equal((await operator.call('PUT', `${OPERATOR}/accounts/acc_x/plan/`, { plan: 'starter' })).status, 404);
});

t.test('months have totals, and their statements leave as one file for billing', async (t) => {
  const customers = [await plane.customer(), await plane.customer()];
  const month = new Date('2026-09-01T00:00:00Z');
  await stores.db.billingPeriod.create({
    data: { month, status: 'closed', closedAt: new Date(), statedAt: new Date() },
  });
  for (const [i, { accountId }] of customers.entries()) {
    await stores.db.statement.create({
      data: {
        month,
        accountId,
        plan: 'free',
        entitled: 1_000n,
        used: BigInt(1_200 + i),
        adjusted: 3n,
        over: BigInt(203 + i),
        byDecision: {},
        byKey: {},
        closedAt: new Date(),
        text: '{}',
        checksum: 'c',
        currency: 'EUR',
        total: 1_900n,
      },
    });
  }
  const { months } = (await operator.call('GET', `${OPERATOR}/months/`)).body;
  const closed = months.find((one: { month: string }) => one.month === '2026-09');
  t.match(closed, {
    status: 'closed',
    accounts: 2,
    used: 2_401,
    adjusted: 6,
    entitled: 2_000,
    over: 407,
    total: 3_800,
    currency: 'EUR',
  });
  t.ok(months.some((one: { status: string; over: null }) => one.status === 'open' && one.over === null));
  const csv = await operator.call('GET', `${OPERATOR}/months/2026-09/statements.csv`);
  t.equal(csv.status, 200);
  const lines = csv.text.trim().split('\r\n');
  t.equal(lines.length, 3);
  t.match(lines[0], /^month,account_id,account_name,plan/);
  for (const { accountId, email } of customers) {
    t.ok(csv.text.includes(accountId));
    t.notOk(csv.text.includes(email));
  }
  t.equal((await operator.call('GET', `${OPERATOR}/months/2020-01/statements.csv`)).status, 404);
  t.equal((await operator.call('GET', `${OPERATOR}/months/x/statements.csv`)).status, 404);
  t.ok((await actionsOf(operator)).includes('operator.statements_exported'));

  const report = await operator.call('GET', `${OPERATOR}/months/2026-09/report/`);
  t.match(report.headers, { 'content-type': /text\/html/, 'content-security-policy': /default-src 'none'/ });
  t.match(report.text, /September 2026[\s\S]*Closed: these figures are final[\s\S]*Not run yet/);
  for (const { email } of customers) t.notOk(report.text.includes(email));
  await noteReconciliation(stores.db, '2026-09', Date.now(), []);
  const reconciled = await operator.call('GET', `${OPERATOR}/months/2026-09/report/`);
  t.match(reconciled.text, /invoices agree, as of \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  t.equal((await operator.call('GET', `${OPERATOR}/months/2020-01/report/`)).status, 404);
  t.equal((await operator.call('GET', `${OPERATOR}/months/x/report/`)).status, 404);
  t.ok((await actionsOf(operator)).includes('operator.report_read'));

  t.equal((await operator.call('GET', `${OPERATOR}/months/2026-10/invoices.csv`)).status, 404);
  await stores.db.legalEntity.create({
    data: { id: 'ops', name: 'Ops', address: 'Here', numberPrefix: 'OPS-', isDefault: true },
  });
  const [customer] = customers;
  const fields = {
    kind: 'invoice',
    account_id: customer?.accountId,
    month: '2026-09-01',
    issued_on: '2026-10-01',
    currency: 'EUR',
    subtotal: 1900,
    tax_rate: 0,
    tax: 0,
    total: 1900,
    document: { buyer: { name: customer?.email }, lines: [] },
  };
  await stores.db.$queryRaw`SELECT write_invoice('ops', ${JSON.stringify(fields)}::jsonb)`;
  const served = await operator.call('GET', `${OPERATOR}/months/2026-09/invoices.csv`);
  t.equal(served.status, 404, 'books go by the date of issue, not by the month served');
  const invoices = await operator.call('GET', `${OPERATOR}/months/2026-10/invoices.csv`);
  t.match(invoices.text, /^number,kind,corrects[\s\S]*OPS-000001,invoice/);
  t.notOk(invoices.text.includes(customer?.email ?? ''), 'who is named by an address is masked');
});

t.test('the system page says what the worker last saw, and how long ago', async (t) => {
  t.match((await operator.call('GET', `${OPERATOR}/system/`)).body, {
    queue: null,
    reconciliations: [],
    datasets: null,
  });
  await noteQueue(stores.db, {
    waiting: 4,
    active: 1,
    delayed: 0,
    failed: 0,
    oldestSeconds: 2.4,
    deadLetters: 3,
  });
  await noteReconciliation(stores.db, '2026-10', Date.now(), [
    { repaired: false },
    { repaired: true },
    { repaired: true },
  ]);
  await stores.db.$executeRaw`UPDATE observations SET observed_at = now() - interval '90 seconds'`;
  const { body } = await operator.call('GET', `${OPERATOR}/system/`);
  t.match(body.queue, { waiting: 4, oldest_seconds: 2, dead_letters: 3 });
  t.ok(body.queue.age_seconds >= 90);
  t.match(body.reconciliations, [{ month: '2026-10', differences: 1, repaired: 2 }]);
});

t.test('the system page names the accounts with the largest load, refused included', async (t) => {
  const customer = await plane.customer();
  await addLoad(stores.redis, [
    { accountId: customer.accountId, answered: 3, refused: 40 },
    { accountId: 'acc_gone', answered: 5, refused: 0 },
  ]);
  const { body, text } = await operator.call('GET', `${OPERATOR}/system/`);
  t.match(body.top_accounts, [
    { id: customer.accountId, name: /^.\*\*\*@/, plan: 'free', answered: 3, refused: 40 },
    { id: 'acc_gone', name: 'acc_gone', plan: null, answered: 5, refused: 0 },
  ]);
  t.notOk(text.includes(customer.email));
});

t.test('the system page counts the keys of each client, and the account page names it', async (t) => {
  const customer = await plane.customer();
  const { key } = (await customer.call('POST', KEYS, { name: 'k' })).body;
  const report = (uses: object[]) =>
    plane.internal.inject({
      method: 'POST',
      url: KEY_USES_PATH,
      headers: { [INTERNAL_TOKEN_HEADER]: plane.deps.config.INTERNAL_TOKEN },
      payload: { clients: uses, networks: [] },
    });
  const use = {
    account_id: customer.accountId,
    key_id: key.id,
    client: 'verdict-node/0.1.9',
    dropped_ips: 3,
  };
  t.equal((await report([use])).statusCode, 200);
  await stores.db.$executeRaw`UPDATE api_keys SET last_used_at = now() WHERE id = ${key.id}`;
  const { body } = await operator.call('GET', `${OPERATOR}/system/`);
  t.match(body.clients, [{ client: 'verdict-node/0.1.9', keys: 1, accounts: 1 }]);
  const detail = (await operator.call('GET', `${OPERATOR}/accounts/${customer.accountId}/`)).body;
  t.match(detail.keys, [{ id: key.id, client: 'verdict-node/0.1.9' }]);
  t.match((await customer.call('GET', `${KEYS}${key.id}/`)).body.key, {
    client: 'verdict-node/0.1.9',
    dropped_ips: 3,
    dropped_ips_at: /^\d{4}-/,
  });
});

t.test('names are masked where they are addresses and nowhere else', async (t) => {
  t.equal(maskedName('jane.doe@example.com'), 'j***@example.com');
  t.equal(maskedName('Jane <jane@example.com>'), 'Jane <j***@example.com>');
  t.equal(maskedName('Acme, Inc.'), 'Acme, Inc.');
});

import { randomBytes } from 'node:crypto';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { appendAudit } from '../src/accounts/audit-events.js';
import type { Audit } from '../src/accounts/audited.js';
import { applyDuePlanChanges, changePlan } from '../src/billing/plan-changes.js';
import { connectDatabase } from '../src/database/client.js';
import { createApiKeys, NO_TERMS } from '../src/keys/api-keys.js';
import { createWebhookEndpoints } from '../src/webhooks/webhook-endpoints.js';

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});

const fresh = () => randomBytes(8).toString('hex');
const audit = (action: string): Audit => ({ id: fresh(), userId: null, ip: null, requestId: null, action });

/** An account whose endpoint wants some events. */
async function accountWanting(...events: string[]): Promise<string> {
  const id = `acc_${fresh()}`;
  await db.account.create({ data: { id, name: 'a', plan: 'free' } });
  await db.webhookEndpoint.create({
    data: { id: `whe_${fresh()}`, accountId: id, url: 'https://example.com/', events, secret: 'x' },
  });
  return id;
}

const eventsOf = async (accountId: string) =>
  (await db.webhookEvent.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' } })).map(
    ({ type, data }) => ({ type, data }),
  );
const deliveriesOf = (accountId: string) => db.webhookDelivery.count({ where: { accountId } });

/** As the functions and triggers of Postgres do it. */
const enqueue = (
  accountId: string,
  type: string,
  data: object = { job_id: 'job_1' },
  onceKey: string | null = null,
) =>
  db.$queryRaw`SELECT enqueue_webhook_event(${accountId}, ${type}, ${JSON.stringify(data)}::jsonb, ${onceKey}) AS id`;

t.test('an event is written with the change that caused it, or neither is', async (t) => {
  const accountId = await accountWanting('job.completed');
  const event = () => enqueue(accountId, 'job.completed');
  const rename = (name: string | null) =>
    db.$executeRaw`UPDATE accounts SET name = ${name} WHERE id = ${accountId}`;
  await t.rejects(db.$transaction([event(), rename(null)]), 'the change was refused');
  t.same(await eventsOf(accountId), []);
  await db.$transaction([rename('b'), event()]);
  t.same(await eventsOf(accountId), [{ type: 'job.completed', data: { job_id: 'job_1' } }]);
  t.equal(await deliveriesOf(accountId), 1);
});

t.test('an endpoint gets what it asked for, while it is enabled', async (t) => {
  const accountId = await accountWanting('job.failed');
  const tell = (type: 'job.completed' | 'job.failed') => enqueue(accountId, type);
  await tell('job.completed');
  t.equal(await deliveriesOf(accountId), 0);
  await tell('job.failed');
  t.equal(await deliveriesOf(accountId), 1);
  await db.webhookEndpoint.updateMany({ where: { accountId }, data: { status: 'disabled' } });
  await tell('job.failed');
  t.equal(await deliveriesOf(accountId), 1);
  t.equal((await eventsOf(accountId)).length, 3, 'what happened is noted for a replay all the same');
});

t.test('what happens once is told once, however many say so at the same time', async (t) => {
  const accountId = await accountWanting('quota.exceeded');
  const data = { month: '2026-11', percent: 100, checks_used: 9, checks_limit: 9 };
  const say = () => enqueue(accountId, 'quota.exceeded', data, 'quota 2026-11 100');
  await Promise.all(Array.from({ length: 12 }, say));
  t.equal((await eventsOf(accountId)).length, 1);
  t.equal(await deliveriesOf(accountId), 1);
});

t.test('an account that is gone is told nothing, and nothing fails', async (t) => {
  t.same(await enqueue('acc_gone', 'job.failed'), [{ id: null }]);
});

t.test('keys tell of themselves: created, rolled and revoked once, renamed never', async (t) => {
  const accountId = await accountWanting();
  const keys = createApiKeys(db, accountId);
  const secret = () => ({ secretHash: fresh(), prefix: 'p', lastFour: '1234' });
  const key = { name: 'name', ...NO_TERMS };
  await keys.create('key_1', { mode: 'live', ...key }, secret(), 1_000, audit('key.created'));
  await keys.update('key_1', { name: 'other', active: false }, audit('key.updated'));
  await keys.roll('key_1', secret(), 60, 1_000, audit('key.rolled'));
  await keys.revoke('key_1', audit('key.revoked'));
  await keys.revoke('key_1', audit('key.revoked'));
  t.same(
    await eventsOf(accountId),
    ['key.created', 'key.rolled', 'key.revoked'].map((type) => ({ type, data: { key_id: 'key_1' } })),
  );
});

t.test('an entry of the audit log is told of where an endpoint names it, with ids alone', async (t) => {
  const [wanting, other] = [await accountWanting('audit.recorded'), await accountWanting('key.created')];
  const entry = { ...audit('list.added'), userId: 'usr_1', ip: '192.0.2.9', requestId: 'req_1' };
  const note = (accountId: string, more: Partial<Audit>) =>
    appendAudit(db, accountId, { ...entry, id: `aud_${fresh()}`, ...more });
  await note(wanting, { id: 'aud_1', target: 'jane@example.org', details: { note: 'jane@example.org' } });
  await note(wanting, { id: 'aud_2', target: 'key_1', userId: null, details: { key_id: 'key_2' } });
  await note(wanting, { id: 'aud_3', target: '7', userId: null, details: { by: 'operator:jane' } });
  await note(wanting, { id: 'aud_4', userId: null, requestId: null });
  await note(other, { target: 'key_1' });
  t.same(
    await eventsOf(wanting),
    [
      { audit_id: 'aud_1', by: 'usr_1', target: null },
      { audit_id: 'aud_2', by: 'key_2', target: 'key_1' },
      { audit_id: 'aud_3', by: 'operator', target: '7' },
      { audit_id: 'aud_4', by: 'system', target: null },
    ].map((data) => ({ type: 'audit.recorded', data: { ...data, action: 'list.added' } })),
  );
  t.equal(await deliveriesOf(wanting), 4);
  t.same(await eventsOf(other), [], 'nothing is written where no endpoint names it');
});

t.test('endpoints are added and removed at the same time while each change is told of', async (t) => {
  const accountId = await accountWanting('audit.recorded');
  const endpoints = createWebhookEndpoints(db, accountId);
  const add = (id: string) =>
    endpoints.create(
      { id, url: 'https://example.com/', description: null, events: ['audit.recorded'], secret: 'x' },
      audit('webhook.created'),
    );
  for (let round = 0; round < 20; round++) {
    const [left, next] = [`whe_${fresh()}`, `whe_${fresh()}`];
    await add(left);
    await Promise.all([add(next), endpoints.remove(left, audit('webhook.deleted'))]);
    await endpoints.remove(next, audit('webhook.deleted'));
  }
  t.equal((await eventsOf(accountId)).length, 80);
});

t.test('a change of plan is an event from the moment that it counts', async (t) => {
  const accountId = await accountWanting();
  const wish = { downFrom: ['scale'], madeBy: 'operator' };
  await changePlan(db, accountId, { ...wish, plan: 'scale' }, audit('x'));
  t.match(await eventsOf(accountId), [{ type: 'plan.changed', data: { from_plan: 'free', plan: 'scale' } }]);
  await changePlan(db, accountId, { ...wish, plan: 'free' }, audit('x'));
  t.equal((await eventsOf(accountId)).length, 1, 'a downgrade begins with the next month');
  await applyDuePlanChanges(db, new Date(Date.now() + 32 * 86_400_000));
  t.match(await eventsOf(accountId), [
    {},
    { type: 'plan.changed', data: { from_plan: 'scale', plan: 'free' } },
  ]);
  await db.account.delete({ where: { id: accountId } });
});

t.test('a statement is told of with its month', async (t) => {
  const accountId = await accountWanting('statement.closed');
  const figures = { entitled: 1n, used: 1n, adjusted: 0n, over: 0n, byDecision: {}, byKey: {} };
  const month = new Date('2026-10-01T00:00:00Z');
  await db.statement.create({
    data: { month, accountId, plan: 'free', ...figures, closedAt: new Date(), text: '{}', checksum: 'sum' },
  });
  t.same(await eventsOf(accountId), [
    { type: 'statement.closed', data: { month: '2026-10', checksum: 'sum' } },
  ]);
  t.equal(await deliveriesOf(accountId), 1);
});

t.test('a bulk job tells when it is paused, completed or failed, and not when it goes on', async (t) => {
  const accountId = await accountWanting('job.completed');
  const id = `job_${fresh()}`;
  await db.$executeRaw`
    INSERT INTO bulk_jobs (id, account_id, key_id, format, expires_at) VALUES (${id}, ${accountId}, 'key_1', 'csv', now())`;
  for (const status of ['ready', 'running', 'paused', 'paused', 'running', 'completed', 'expired'])
    await db.$executeRaw`UPDATE bulk_jobs SET status = ${status} WHERE id = ${id}`;
  const data = { job_id: id };
  t.same(await eventsOf(accountId), [
    { type: 'job.paused', data },
    { type: 'job.completed', data },
  ]);
  t.equal(await deliveriesOf(accountId), 1);
});

import { randomFillSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { tellOfQuotas } from '@verdict/db/billing/quota-events.js';
import { settleDelivered, settleFailed } from '@verdict/db/webhooks/settle-delivery.js';
import { createWebhookDeliveries } from '@verdict/db/webhooks/webhook-deliveries.js';
import { createWebhookEndpoints } from '@verdict/db/webhooks/webhook-endpoints.js';
import { deleteWebhookEventsBefore } from '@verdict/db/webhooks/webhook-retention.js';
import { monthOf } from '@verdict/domain/month.js';
import { createSealer } from '@verdict/domain/sealed-text.js';
import { createWebhookSecret } from '@verdict/domain/webhook-secret.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { Webhook } from 'standardwebhooks';
import t, { type Test } from 'tap';
import { checkLog, createId, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';
import { type Receiver, startReceiver } from './support/start-receiver.js';

const KEY = Buffer.alloc(32, 7).toString('base64url');
const plansFile = join(t.testdir(), 'plans.json');
await writeFile(
  plansFile,
  JSON.stringify({
    free: { checks_per_month: 10, checks_per_second: 5, retention_days: 30 },
    growth: { checks_per_month: 40, checks_per_second: 5, retention_days: 30 },
  }),
);
const setting = await setUp({
  PLANS_FILE: plansFile,
  SECRETS_KEY: KEY,
  WEBHOOK_LOOPBACK: 'allowed',
  // Three attempts, and no waiting between them.
  WEBHOOK_RETRY_SECONDS: '0,0',
});
t.teardown(() => setting.close());
const { db } = setting;
const box = createSealer(KEY, randomFillSync);
const LONG = { withinMs: 120_000 };

async function newAccount(): Promise<string> {
  const id = createId('acc');
  await db.account.create({ data: { id, name: 'a', plan: 'free' } });
  return id;
}

async function addEndpoint(accountId: string, url: string, events: string[] = ['job.completed']) {
  const id = createId('whe');
  const secret = createWebhookSecret();
  const data = { id, accountId, url, events, secret: box.seal(secret, id) };
  await db.webhookEndpoint.create({ data });
  return { id, secret };
}

async function receiver(t: Test, answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answer);
  t.teardown(() => started.close());
  return started;
}

const tell = (accountId: string, job = createId('bat'), on = db) =>
  on.$queryRaw`SELECT enqueue_webhook_event(${accountId}, 'job.completed', jsonb_build_object('job_id', ${job}::text), NULL)`;

const deliveriesTo = (endpointId: string) =>
  db.webhookDelivery.findMany({
    where: { endpointId },
    include: { tries: { orderBy: { id: 'asc' } } },
    orderBy: { createdAt: 'asc' },
  });

const settled = (endpointId: string) =>
  eventually(async () => {
    const found = await deliveriesTo(endpointId);
    return found.length > 0 && found.every(({ status }) => status !== 'pending') && found;
  }, LONG);

const says =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(`this is ${status}`);

t.test('a message arrives, and an independent library accepts its signature', async (t) => {
  const server = await receiver(t);
  const account = await newAccount();
  const { id, secret } = await addEndpoint(account, `${server.url}hooks?x=1`);
  await setting.startWorker();
  await tell(account, 'job_1');
  const [delivery] = await settled(id);
  t.match(delivery, { status: 'delivered', attempts: 1, responseStatus: 200, error: null });
  t.match(delivery?.tries, [{ responseStatus: 200, error: null, responseHead: 'thanks' }]);

  const [message] = server.received;
  if (!message) throw new Error('nothing arrived');
  t.equal(message.path, '/hooks?x=1');
  t.equal(message.headers['content-type'], 'application/json');
  t.equal(message.headers['webhook-id'], delivery?.eventId);
  const headers = message.headers as Record<string, string>;
  t.match(new Webhook(secret).verify(message.body, headers), {
    type: 'job.completed',
    data: { job_id: 'job_1' },
  });
  t.throws(() => new Webhook(createWebhookSecret()).verify(message.body, headers), 'another secret');
  t.throws(() => new Webhook(secret).verify(`${message.body} `, headers), 'another body');
  t.same(Object.keys(JSON.parse(message.body)), ['type', 'timestamp', 'data']);
});

// Side by side: each has an account and a receiver of its own, and waits for a sender that looks once a second.
t.jobs = 4;
/** Of these each looks at every account, so they run one after the other. */
const ALONE = { buffered: false };

t.test('while a secret is rolled both verify; afterwards only the new one', async (t) => {
  const server = await receiver(t);
  const account = await newAccount();
  const { id, secret: old } = await addEndpoint(account, server.url);
  const fresh = createWebhookSecret();
  const audit = { id: createId('aud'), userId: null, ip: null, requestId: null, action: 'webhook.rolled' };
  await createWebhookEndpoints(db, account).roll(id, box.seal(fresh, id), 3_600, audit);
  await tell(account);
  await settled(id);
  const both = server.received[0];
  for (const secret of [old, fresh])
    t.ok(new Webhook(secret).verify(both?.body ?? '', both?.headers as Record<string, string>));

  await db.webhookEndpoint.update({ where: { id }, data: { oldSecretExpiresAt: new Date(0) } });
  await tell(account);
  const one = await eventually(() => server.received[1], LONG);
  const headers = one.headers as Record<string, string>;
  t.ok(new Webhook(fresh).verify(one.body, headers));
  t.throws(() => new Webhook(old).verify(one.body, headers));
});

t.test(
  'what fails is tried again under the same id, then given up, and every attempt is on record',
  async (t) => {
    const server = await receiver(t, says(500));
    const account = await newAccount();
    const { id } = await addEndpoint(account, server.url);
    await tell(account);
    const [delivery] = await settled(id);
    t.match(delivery, { status: 'failed', attempts: 3, responseStatus: 500, error: 'it answered 500' });
    t.match(
      delivery?.tries.map(({ responseStatus, responseHead }) => [responseStatus, responseHead]),
      Array(3).fill([500, 'this is 500']),
    );
    t.equal(server.received.length, 3);
    t.equal(new Set(server.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    t.equal(new Set(server.received.map(({ body }) => body)).size, 1);
  },
);

t.test('a failed message that somebody asks for again has the whole schedule before it', async (t) => {
  let status = 500;
  const server = await receiver(t, (response) => says(status)(response));
  const account = await newAccount();
  const { id } = await addEndpoint(account, server.url);
  await tell(account);
  const [failed] = await settled(id);
  status = 204;
  const deliveryId = failed?.id ?? '';
  const earlier = Array.from({ length: 60 }, () => ({ deliveryId, durationMs: 1, error: 'earlier' }));
  await db.webhookAttempt.createMany({ data: earlier });
  t.equal(await createWebhookDeliveries(db, account).retry(deliveryId), true);
  await eventually(async () => (await deliveriesTo(id))[0]?.status === 'delivered', LONG);
  const [delivered] = await deliveriesTo(id);
  t.equal(delivered?.attempts, 4);
  t.equal(delivered?.tries.length, 50, 'and the newest attempts are kept');
  t.match(delivered?.tries.at(-1), { responseStatus: 204 });
  t.equal(
    (await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).failures,
    0,
    'and it is well again',
  );
});

t.test('a redirect is a failure and nobody follows it', async (t) => {
  const inner = await receiver(t);
  const server = await receiver(t, says(307, { location: inner.url }));
  const account = await newAccount();
  const { id } = await addEndpoint(account, server.url);
  await tell(account);
  t.match(await settled(id), [{ status: 'failed', responseStatus: 307, error: /redirects/ }]);
  t.equal(inner.received.length, 0);
});

t.test('410 disables the endpoint with an audit entry, and ends what was on its way', async (t) => {
  const server = await receiver(t, says(410));
  const account = await newAccount();
  const { id } = await addEndpoint(account, server.url);
  await tell(account);
  await settled(id);
  t.match(await db.webhookEndpoint.findUnique({ where: { id } }), {
    status: 'disabled',
    disabledReason: 'gone',
  });
  t.match(await db.auditEvent.findMany({ where: { accountId: account } }), [
    { action: 'webhook.disabled', target: id, userId: null, details: { reason: 'gone' } },
  ]);
  t.match(await deliveriesTo(id), [{ status: 'failed', attempts: 1 }]);
  await tell(account);
  t.equal((await deliveriesTo(id)).length, 1, 'a disabled endpoint gets nothing');
});

t.test('five days of failure disable an endpoint, four do not', async (t) => {
  const server = await receiver(t, says(503));
  for (const [days, status] of [
    [4, 'enabled'],
    [5.1, 'disabled'],
  ] as const) {
    const account = await newAccount();
    const { id } = await addEndpoint(account, server.url);
    const failingSince = new Date(Date.now() - days * 86_400_000);
    await db.webhookEndpoint.update({ where: { id }, data: { failures: 1, failingSince } });
    await tell(account);
    await settled(id);
    t.equal((await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).status, status, `${days} days`);
    const audits = await db.auditEvent.findMany({ where: { accountId: account } });
    t.match(audits, status === 'disabled' ? [{ details: { reason: 'failing' } }] : []);
  }
});

t.test('an endpoint that never answers holds a few connections and delays nobody', async (t) => {
  const silent = await receiver(t, () => undefined);
  const server = await receiver(t);
  const account = await newAccount();
  const dead = await addEndpoint(account, silent.url);
  const alive = await addEndpoint(account, server.url);
  for (let count = 0; count < 30; count++) await tell(account);
  const delivered = await settled(alive.id);
  t.equal(delivered.filter(({ status }) => status === 'delivered').length, 30);
  t.ok(silent.atOnceMax() <= 4, `${silent.atOnceMax()} at once`);
  await createWebhookEndpoints(db, account).update(
    dead.id,
    { enabled: false },
    { id: createId('aud'), userId: null, ip: null, requestId: null, action: 'webhook.updated' },
  );
});

t.test(
  'a circuit opens after some failures; then one message is tried, and a success closes it',
  async (t) => {
    let status = 500;
    const server = await receiver(t, (response) => says(status)(response));
    const account = await newAccount();
    const { id } = await addEndpoint(account, server.url);
    for (let count = 0; count < 30; count++) await tell(account);
    const open = await eventually(async () => {
      // In one statement: between two, the last running one would be counted by one and not by the other.
      const [seen] = await db.$queryRaw<{ failures: number; settled: boolean }[]>`
        SELECT failures, paused_until IS NOT NULL AND NOT EXISTS (
          SELECT FROM webhook_deliveries WHERE endpoint_id = ${id} AND queued_until IS NOT NULL) AS settled
        FROM webhook_endpoints WHERE id = ${id}`;
      return seen?.settled && seen;
    }, LONG);
    t.ok(open.failures >= 5 && open.failures <= 8, `${open.failures} attempts, those under way included`);
    t.equal(server.received.length, open.failures);

    await db.webhookEndpoint.update({ where: { id }, data: { pausedUntil: new Date(0) } });
    await eventually(() => server.received.length === open.failures + 1, LONG);
    await eventually(async () => {
      const { failures } = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
      return failures === open.failures + 1;
    }, LONG);
    t.equal(server.received.length, open.failures + 1, 'one was tried, and the circuit is open again');

    status = 200;
    await db.webhookEndpoint.update({ where: { id }, data: { pausedUntil: new Date(0) } });
    const all = await settled(id);
    t.equal(all.filter((one) => one.status === 'delivered').length, 30);
  },
);

t.test('a worker that stops leaves what it was sending to the next, under the same id', async (t) => {
  let isSilent = true;
  const server = await receiver(t, (response) => void (isSilent || response.end()));
  const account = await newAccount();
  const { id } = await addEndpoint(account, server.url);
  const only = await setUp({ SECRETS_KEY: KEY, WEBHOOK_LOOPBACK: 'allowed' });
  t.teardown(() => only.close());
  await only.db.account.create({ data: { id: account, name: 'a', plan: 'free' } });
  const { accountId, url, events, secret } = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  await only.db.webhookEndpoint.create({ data: { id, accountId, url, events, secret } });
  const first = await only.startWorker();
  await tell(accountId, 'job_1', only.db);
  await eventually(() => server.received.length === 1, LONG);
  await first.stop();
  t.match(await only.db.webhookDelivery.findMany(), [{ status: 'pending', attempts: 0 }]);
  isSilent = false;
  await only.startWorker();
  await eventually(async () => (await only.db.webhookDelivery.findFirst())?.status === 'delivered', LONG);
  t.equal(new Set(server.received.map(({ headers }) => headers['webhook-id'])).size, 1);
});

t.test('a replay sends what an endpoint missed and what it had, under the old ids', async (t) => {
  const server = await receiver(t);
  const account = await newAccount();
  await tell(account, 'before there was an endpoint');
  const { id } = await addEndpoint(account, server.url);
  await tell(account, 'delivered');
  await settled(id);
  const audit = { id: createId('aud'), userId: null, ip: null, requestId: null, action: 'webhook.replayed' };
  const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
  t.equal(await createWebhookDeliveries(db, account).replay(id, from, to, audit), 2);
  await eventually(() => server.received.length === 3, LONG);
  t.equal(new Set(server.received.map(({ headers }) => headers['webhook-id'])).size, 2);
  t.equal(await db.auditEvent.count({ where: { accountId: account, action: 'webhook.replayed' } }), 1);
});

t.test('who asked for it is told of each blocked check once, and nobody else', async (t) => {
  const server = await receiver(t);
  const [asked, other] = [await newAccount(), await newAccount()];
  const { id } = await addEndpoint(asked, server.url, ['check.blocked']);
  await addEndpoint(other, server.url, ['job.completed']);
  const verdict = verdictOf('block');
  const blocked = [asked, asked, other].map((account_id) => checkLog({ account_id, verdict }));
  const checks = [...blocked, checkLog({ account_id: asked })];
  await setting.queueChecks(checks);
  await setting.queueChecks(checks);
  await eventually(async () => (await setting.counts(asked)).rows === 3, LONG);
  const delivered = await settled(id);
  t.equal(delivered.length, 2);
  const ids = server.received.map(({ body }) => JSON.parse(body).data.log_id).sort();
  t.same(
    ids,
    blocked
      .slice(0, 2)
      .map((check) => check.id)
      .sort(),
  );
  t.notMatch(JSON.stringify(server.received), /Jane|Example\.com/i, 'never an address');
  t.equal(await db.webhookEvent.count({ where: { accountId: other } }), 0);
});

t.test('each threshold of a month is told of once, whichever worker counts', ALONE, async (t) => {
  const account = await newAccount();
  const told = async () => {
    const events = await db.webhookEvent.findMany({
      where: { accountId: account },
      orderBy: { onceKey: 'asc' },
    });
    return events.map(({ type, data }) => `${type} ${(data as { percent: number }).percent}`).sort();
  };
  const use = (checks: number) =>
    setting.queueChecks(Array.from({ length: checks }, () => checkLog({ account_id: account })));
  await setting.startWorker();
  await use(7);
  await eventually(async () => (await setting.counts(account)).counted === 7, LONG);
  await use(1);
  await eventually(async () => (await told()).length === 1, LONG);
  t.same(await told(), ['quota.warning 80'], 'eight of ten, and not seven');
  await use(2);
  await eventually(async () => (await told()).length === 3, LONG);
  t.same(await told(), ['quota.exceeded 100', 'quota.warning 80', 'quota.warning 90']);
  const month = monthOf(new Date());
  await Promise.all(Array.from({ length: 8 }, () => tellOfQuotas(db, setting.config.plans, month)));
  t.equal((await told()).length, 3);

  await db.account.update({ where: { id: account }, data: { plan: 'growth' } });
  await use(22);
  const larger = ['quota.exceeded 100', 'quota.warning 80', 'quota.warning 80', 'quota.warning 90'];
  await eventually(
    async () =>
      (await db.webhookEvent.count({ where: { accountId: account, type: { startsWith: 'quota' } } })) === 4,
    LONG,
  );
  t.same(
    (await told()).filter((one) => one.startsWith('quota')),
    larger,
    'a larger plan has thresholds of its own',
  );
});

t.test('what a worker that died had no time to tell is told by whoever looks next', ALONE, async (t) => {
  const account = await newAccount();
  await db.usageHourly.create({
    data: { accountId: account, keyId: 'k', hour: new Date(), decision: 'allow', checks: 10n },
  });
  t.ok((await tellOfQuotas(db, setting.config.plans, monthOf(new Date()))) >= 3);
  t.equal(await db.webhookEvent.count({ where: { accountId: account } }), 3);
});

t.test(
  'old events go with their deliveries, but not while one is still to be delivered',
  ALONE,
  async (t) => {
    const account = await newAccount();
    const { id } = await addEndpoint(account, 'https://nowhere.invalid/');
    await db.webhookEndpoint.update({
      where: { id },
      data: { pausedUntil: new Date(Date.now() + 3_600_000) },
    });
    await tell(account);
    await tell(account);
    const [first] = await deliveriesTo(id);
    await db.webhookDelivery.update({ where: { id: first?.id ?? '' }, data: { status: 'failed' } });
    await db.webhookEvent.updateMany({ where: { accountId: account }, data: { createdAt: new Date(0) } });
    await deleteWebhookEventsBefore(db, new Date(1));
    t.match(await deliveriesTo(id), [{ status: 'pending' }]);
    t.equal(await db.webhookEvent.count({ where: { accountId: account } }), 1);
  },
);

t.test('a slow answer halves the places of an endpoint, and quick ones give them back', async (t) => {
  const account = await newAccount();
  const { id } = await addEndpoint(account, 'https://nowhere.invalid/');
  const delivery = { id: 'whd_none', endpoint_id: id, account_id: account, lease: 0 };
  const made = { responseStatus: 200, error: null, responseHead: null };
  const placesAfter = async (durationMs: number) => {
    await settleDelivered(db, delivery, { ...made, durationMs });
    return (await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).places;
  };
  t.same(await placesAfter(14_000), 2);
  t.same(await placesAfter(6_000), 1);
  t.same(await placesAfter(6_000), 1);
  t.same(await placesAfter(100), 2);
  for (let count = 0; count < 5; count++) await placesAfter(100);
  t.same(await placesAfter(100), 4);
});

t.test('what DNS did not answer is tried again and not booked on the endpoint', async (t) => {
  const account = await newAccount();
  const { id } = await addEndpoint(account, 'https://nowhere.invalid/');
  const data = { failures: 4, failingSince: new Date(Date.now() - 6 * 86_400_000) };
  const pausedUntil = new Date(Date.now() + 600_000);
  await db.webhookEndpoint.update({ where: { id }, data: { ...data, pausedUntil } });
  await tell(account);
  const [pending] = await deliveriesTo(id);
  const delivery = { id: pending?.id ?? '', endpoint_id: id, account_id: account, lease: 0 };
  const failure = {
    durationMs: 2_000,
    responseStatus: null,
    error: 'the name could not be resolved',
    responseHead: null,
    retryInMs: 5_000,
    pauseMs: 15_000,
    isGone: false,
    failingDaysMax: 5,
    now: new Date(),
  };
  const audit = { id: createId('aud'), userId: null, ip: null, requestId: null, action: 'webhook.disabled' };
  t.equal(await settleFailed(db, delivery, { ...failure, isUnresolved: true }, audit), false);
  t.match(await db.webhookEndpoint.findUnique({ where: { id } }), { ...data, status: 'enabled' });
  t.match(await deliveriesTo(id), [{ status: 'pending', attempts: 1, error: failure.error }]);
  t.equal(
    await settleFailed(db, delivery, { ...failure, isUnresolved: false, now: null }, audit),
    false,
    'nor is one while clocks disagree',
  );
  t.equal(
    await settleFailed(db, delivery, { ...failure, isUnresolved: false }, audit),
    true,
    'but a failure is',
  );
});

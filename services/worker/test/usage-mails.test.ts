import { randomBytes, randomFillSync } from 'node:crypto';
import { connectDatabase } from '@verdict/db/database/client.js';
import { parsePlans } from '@verdict/domain/plans.js';
import { createSealer } from '@verdict/domain/sealed-text.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import type { Mail } from '@verdict/mail/mail.js';
import { renderMail } from '@verdict/mail/render-mail.js';
import t from 'tap';
import { queueUsageMails } from '../src/mail/queue-usage-mails.js';

const database = await createDatabase();
const owner = connectDatabase({ url: database.url, name: 'owner' });
const db = connectDatabase({ url: database.urlOf('worker'), name: 'worker' });
t.teardown(async () => {
  await db.$disconnect();
  await owner.$disconnect();
  await database.drop();
});

const sealer = createSealer(randomBytes(32).toString('base64'), randomFillSync);
const plans = parsePlans({
  free: { checks_per_month: 100, checks_per_second: 1, retention_days: 1 },
  large: {
    ...{ checks_per_month: 1_000, checks_per_second: 1, retention_days: 1 },
    ...{ overage: 'bill', checks_cap: 9_000, price_month: 100 },
  },
});

async function customer(id: string, mailAt: number[], checksCap: number | null = null) {
  await owner.account.create({ data: { id, name: id, plan: 'free' } });
  await owner.user.create({
    data: { id: `usr_${id}`, accountId: id, email: `${id}@customer.example`, passwordHash: 'x' },
  });
  await owner.spendingLimits.create({ data: { accountId: id, mailAt, checksCap } });
  return {
    use: (checks: number, month = '2026-11') => owner.$executeRaw`
      INSERT INTO usage_hourly (account_id, key_id, hour, decision, checks)
      VALUES (${id}, 'key_1', ${`${month}-03T04:00:00Z`}::timestamptz, 'allow', ${checks})
      ON CONFLICT (account_id, hour, key_id, decision) DO UPDATE SET checks = excluded.checks`,
    move: (plan: string) => owner.account.update({ where: { id }, data: { plan } }),
  };
}

/** Runs once and opens the mails that it wrote to the outbox. */
async function written(month = '2026-11') {
  const queued = await queueUsageMails(db, sealer, plans, month);
  const waiting = await owner.outgoingMail.findMany({ orderBy: { createdAt: 'asc' } });
  await owner.outgoingMail.deleteMany();
  t.equal(waiting.length, queued);
  return waiting.map(
    ({ id, sealed }) => JSON.parse(sealer.open(sealed, id) ?? '') as { to: string; mail: Mail },
  );
}

t.test('a percentage that is reached is mailed once a month, the highest alone', async (t) => {
  const { use, move } = await customer('acc_1', [50, 80, 100]);
  await use(49);
  t.strictSame(await written(), []);
  await use(85);
  const [first] = await written();
  t.match(first, {
    to: 'acc_1@customer.example',
    mail: { kind: 'usage_reached', percent: 80, used: '85', quota: '100', stop: '100' },
  });
  t.strictSame(await written(), [], 'once');
  await use(100);
  t.match(await written(), [{ mail: { percent: 100 } }]);
  await move('large');
  t.strictSame(await written(), [], '100 of 1,000 is nothing');
  await use(500);
  t.match(await written(), [{ mail: { percent: 50, quota: '1,000', stop: '9,000' } }]);
  await use(60, '2026-12');
  await move('free');
  t.match(await written('2026-12'), [{ mail: { percent: 50, month: 'December 2026' } }], 'the next month');
  await owner.spendingLimits.deleteMany();
});

t.test('mails go to the invoice email and name the own cap and the day of the reset', async (t) => {
  const { use, move } = await customer('acc_2', [200], 2_500);
  await move('large');
  await owner.billingProfile.create({ data: { accountId: 'acc_2', contact: 'billing@acme.example' } });
  await use(2_000);
  const [usage] = await written();
  t.equal(usage?.to, 'billing@acme.example');
  const { subject, text } = renderMail(usage?.mail as Mail, 'https://verdict.example');
  t.equal(subject, '200% of the checks of November 2026 are used');
  t.match(text, 'has used 2,000 of the 1,000 checks that the large plan includes in November 2026.');
  t.match(text, 'Checks stop at 2,500. The count starts again on 1 December 2026, 00:00 UTC.');
});

t.test('who named no percentage gets no mail', async (t) => {
  const { use } = await customer('acc_3', []);
  await use(1_000);
  t.strictSame(await written(), []);
});

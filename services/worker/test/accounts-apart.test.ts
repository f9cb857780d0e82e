import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { parsePlans } from '@verdict/domain/plans.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { createKeyUsage } from '../src/check-logs/key-usage.js';
import type { PendingCheck } from '../src/check-logs/pending-check.js';
import { createQuotaWatch } from '../src/check-logs/quota-watch.js';
import { checkLog, createId, rowsOf } from './support/check-log.js';

/** A worker gathers these of checks before it writes: none gives one account what is another's. */
const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});
const plans = parsePlans({
  free: { checks_per_month: 1, checks_per_second: 1_000, retention_days: 30 },
});

async function customer() {
  const [id, key] = [createId('acc'), createId('key')];
  await db.account.create({ data: { id, name: id, plan: 'free' } });
  await db.apiKey.create({
    data: { id: key, accountId: id, name: 'k', prefix: 'vrd', lastFour: 'last', secretHash: key },
  });
  return { id, key };
}
const customers = [await customer(), await customer()] as const;
const moment = formatCreatedAt(Date.now() * 1_000);
const rows = rowsOf(
  customers.map(({ id, key }) => checkLog({ account_id: id, key_id: key, created_at: moment })),
  { storage: 'full', hashSecret: 'secret' },
);
const checks = rows.map((row) => ({ row }) as PendingCheck);

t.test('two accounts that reach their quota in one turn both hear of it', async (t) => {
  await persistChecks(db, rows);
  const watch = createQuotaWatch(db, plans);
  watch.note(checks);
  await watch.flush();
  for (const { id } of customers)
    t.equal(await db.webhookEvent.count({ where: { accountId: id, type: 'quota.exceeded' } }), 1);
});

t.test('two keys that were used in one turn both show when', async (t) => {
  const usage = createKeyUsage(db);
  usage.note(checks);
  await usage.flush();
  for (const { key } of customers)
    t.ok((await db.apiKey.findUniqueOrThrow({ where: { id: key } })).lastUsedAt);
});

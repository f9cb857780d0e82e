import { readFile } from 'node:fs/promises';
import { readAccountMonths } from '@verdict/db/billing/close-month.js';
import { parsePlans } from '@verdict/domain/plans.js';
import { type AccountMonth, priceMonth } from '@verdict/domain/pricing/price-month.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';
import { startOperator } from './support/start-operator.js';

const PLANS = parsePlans(JSON.parse(await readFile(inRoot('config/plans.json'), 'utf8')));
const { db, verdict } = await startOperator(t);

t.test('terms of one account price its open months and no closed one', async (t) => {
  const id = 'acc_terms';
  const createdAt = new Date('2026-01-01T00:00:00Z');
  await db.account.create({ data: { id, name: 'Own prices', plan: 'growth', createdAt } });
  const set = (...wish: string[]) => verdict('terms', 'set', id, ...wish, '--reason', 'annual contract');
  t.match(
    await set('--from', '2026-11', '--plan', 'growth', '--price', '79.00', '--discount', '10'),
    /price_month: 7900\n[\s\S]*discount: 10 %/,
  );
  t.match(
    await verdict('terms', 'list', id),
    /2026-11 .*growth .*annual contract .*operator:.* 79\.00 .* 10 %/,
  );
  const { value: page } = await readAccountMonths(db, '2026-11', { after: '', limit: 10, open: true }).next();
  const month = (page ?? []).find((account: AccountMonth) => account.account_id === id);
  t.match(
    month && priceMonth('2026-11', month, PLANS),
    { subtotal: 7_110 },
    'closing and previews price by them',
  );
  await t.rejects(set('--from', '2026-12', '--price', '1'), /--plan goes with/);
  await t.rejects(set('--plan', 'gold', '--price', '1'), /there is no plan "gold"/);
  await t.rejects(set('--plan', 'growth', '--price', '1.005'), /--price wants an amount in EUR/);
  await t.rejects(set('--discount', '101'), /percentage up to 100/);
  await db.$queryRaw`SELECT ensure_check_partitions('2026-07-01'::date)::text`;
  await db.$executeRaw`UPDATE billing_periods SET status = 'closed', closed_at = now(), stated_at = now() WHERE month = '2026-07-01'`;
  await t.rejects(set('--from', '2026-07', '--discount', '5'), /2026-07 is closed/);
});

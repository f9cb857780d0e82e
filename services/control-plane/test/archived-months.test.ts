import { ensurePartitions } from '@verdict/db/checks/partitions.js';
import { encodeTime } from '@verdict/domain/id.js';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import t from 'tap';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const archived = addMonths(monthOf(new Date()), -6);
const kept = addMonths(archived, 1);
await ensurePartitions(stores.db, [archived, kept]);
await stores.db
  .$executeRaw`UPDATE billing_periods SET archived_at = now() WHERE month = ${monthBounds(archived).start}::date`;
const idOf = (month: string) => `log_${encodeTime(monthBounds(month).start.getTime() + 1)}ABCDEFGHJKMNPQRS`;

t.test('a check of an archived month is named as archived, and another missing one is not', async (t) => {
  const { call } = await plane.customer();
  for (const part of ['', 'evidence/']) {
    t.match(await call('GET', `/api/v1/dashboard/logs/${idOf(archived)}/${part}`), {
      status: 404,
      body: {
        code: 'not_found',
        error: `Checks of ${archived} are archived. Ask the operator of this service for this one.`,
      },
    });
    t.match(await call('GET', `/api/v1/dashboard/logs/${idOf(kept)}/${part}`), {
      status: 404,
      body: { code: 'not_found', error: 'There is nothing with this id in your account.' },
    });
  }
});

t.test(
  'a backtest that would miss archived checks is refused with the first day that it can read',
  async (t) => {
    const { call } = await plane.customer();
    const rules = [
      { name: 'One', when: { all: [{ field: 'score', op: 'gte', value: 0 }] }, then: { watch: true } },
    ];
    await call('POST', '/api/v1/policies/', { rules });
    const start = (from: string, to: string) => call('POST', '/api/v1/policies/1/backtest/', { from, to });
    t.match(await start(`${archived}-28`, `${kept}-05`), {
      status: 400,
      body: {
        errors: [{ field: 'from', message: `must be ${kept}-01 or later: earlier checks are archived` }],
      },
    });
    t.match(await start(`${kept}-01`, `${kept}-05`), { status: 202 });
  },
);

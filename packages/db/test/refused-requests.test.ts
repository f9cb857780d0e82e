import type { RefusedGroup } from '@verdict/contracts/refused-requests.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { createRefusedReading, deleteOldRefused, storeRefused } from '../src/checks/refused-requests.js';
import { connectDatabase } from '../src/database/client.js';

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});
await db.account.create({ data: { id: 'acc_1', name: 'a', plan: 'free' } });
const key = { accountId: 'acc_1', name: 'k', prefix: 'p', lastFour: '0000' };
await db.apiKey.create({ data: { ...key, id: 'key_1', secretHash: 'h' } });

const group = (count: number, minute: number, own: Partial<RefusedGroup> = {}): RefusedGroup => ({
  ...{ account_id: 'acc_1', key_id: 'key_1', status: 400, code: 'invalid_request', count },
  samples: [
    {
      request_id: `req_${minute}`,
      at: `2026-11-16T10:0${minute}:00.000Z`,
      method: 'POST',
      path: '/api/v1/check/',
      fields: ['email'],
    },
  ],
  ...own,
});

t.test('reports add up, the five newest samples stay, and keys of nobody are left out', async (t) => {
  for (let minute = 0; minute < 7; minute++) await storeRefused(db, [group(2, minute)]);
  await storeRefused(db, [group(1, 9, { key_id: 'key_gone' }), group(1, 9, { account_id: 'acc_other' })]);
  const [row, ...others] = await createRefusedReading(db, 'acc_1').list();
  t.match(row, { key_id: 'key_1', status: 400, code: 'invalid_request', count: 14 });
  t.strictSame(
    row?.samples.map(({ request_id: id }) => id),
    ['req_6', 'req_5', 'req_4', 'req_3', 'req_2'],
  );
  t.strictSame(others, []);
  t.strictSame(await createRefusedReading(db, 'acc_other').list(), []);
});

t.test('they are forgotten after seven days', async (t) => {
  await db.$executeRaw`UPDATE refused_requests SET hour = hour - interval '8 days'`;
  t.strictSame(await createRefusedReading(db, 'acc_1').list(), []);
  t.equal(await deleteOldRefused(db), 1);
});

import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { rowOf } from './support/check-rows.js';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const LOGS = '/api/v1/dashboard/logs/';

t.test('searches read from the replica and write nothing there', async (t) => {
  // As a replica that lags: another database, in which nothing can be written.
  const replica = await createDatabase();
  t.teardown(() => replica.drop());
  const url = new URL(replica.url);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const plane = await startControlPlane(t, stores, { DATABASE_SEARCH_URL: url.href });
  const { call, accountId } = await plane.customer();
  const own = rowOf(accountId, 'key_x');
  await persistChecks(stores.db, [own]);
  t.strictSame((await call('GET', LOGS)).body.logs, [], 'not there yet');

  const row = rowOf(accountId, 'key_x');
  const writer = connectDatabase({ url: replica.url, name: 'test' });
  await persistChecks(writer, [row]);
  await writer.$disconnect();
  t.match((await call('GET', LOGS)).body.logs, [{ id: row.id }]);
  t.equal((await call('GET', `${LOGS}?email=somebody@example.org`)).status, 200);
  t.equal((await call('GET', `${LOGS}${own.id}/`)).status, 200, 'one check comes from the primary');
  t.equal((await call('GET', '/api/v1/lists/block/impact/?value=example.org')).status, 200);
  const use = await call('GET', '/api/v1/dashboard/usage/');
  t.match(use.body, { total: 1 }, 'usage comes from the primary');
});

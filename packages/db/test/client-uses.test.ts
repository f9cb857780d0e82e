import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { connectDatabase } from '../src/database/client.js';
import { createApiKeys } from '../src/keys/api-keys.js';
import { listClientsInUse, storeClientUses } from '../src/keys/client-uses.js';

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});
const NODE = 'verdict-node/0.2.0';
for (const account of ['acc_1', 'acc_2'])
  await db.account.create({ data: { id: account, name: account, plan: 'free' } });
const key = (id: string, accountId: string, lastUsedAt: Date | null, status = 'active') =>
  db.apiKey.create({
    data: { id, accountId, name: id, prefix: 'p', lastFour: '0000', secretHash: id, lastUsedAt, status },
  });
const now = new Date();
await key('key_1', 'acc_1', now);
await key('key_2', 'acc_1', now);
await key('key_3', 'acc_2', now);
await key('key_old', 'acc_2', new Date(now.getTime() - 31 * 86_400_000));
await key('key_revoked', 'acc_2', now, 'revoked');
const use = (account_id: string, key_id: string, client: string | null, dropped_ips = 0) => ({
  account_id,
  key_id,
  client,
  dropped_ips,
});
const find = (accountId: string, id: string) => createApiKeys(db, accountId).find(id);

t.test('a key shows its last client and adds up the IPs that were left out', async (t) => {
  t.match(await find('acc_1', 'key_1'), { client: null, dropped_ips: 0, dropped_ips_at: null });
  await storeClientUses(db, [use('acc_1', 'key_1', NODE)]);
  t.match(await find('acc_1', 'key_1'), { client: NODE, dropped_ips: 0, dropped_ips_at: null });
  await storeClientUses(db, [use('acc_1', 'key_1', null, 2)]);
  await storeClientUses(db, [use('acc_1', 'key_1', 'verdict-node/0.3.0', 2_000_000_000)]);
  t.match(await find('acc_1', 'key_1'), {
    client: 'verdict-node/0.3.0',
    dropped_ips: 2_000_000_000,
    dropped_ips_at: /^\d{4}-/,
  });
});

t.test('a key of another account and one that is gone are left alone', async (t) => {
  await storeClientUses(db, [use('acc_2', 'key_2', NODE, 7), use('acc_1', 'key_gone', NODE)]);
  t.match(await find('acc_1', 'key_2'), { client: null, dropped_ips: 0 });
});

t.test('clients in use are those of keys that were used within 30 days and are not revoked', async (t) => {
  await storeClientUses(db, [
    use('acc_1', 'key_1', NODE),
    use('acc_1', 'key_2', NODE),
    use('acc_2', 'key_3', NODE),
    use('acc_2', 'key_old', 'verdict-node/0.1.0'),
    use('acc_2', 'key_revoked', 'verdict-node/0.1.0'),
  ]);
  t.strictSame(await listClientsInUse(db), [{ client: NODE, keys: 3, accounts: 2 }]);
  await storeClientUses(db, [use('acc_2', 'key_3', 'verdict-php/0.2.0')]);
  t.strictSame(await listClientsInUse(db), [
    { client: NODE, keys: 2, accounts: 1 },
    { client: 'verdict-php/0.2.0', keys: 1, accounts: 1 },
  ]);
});

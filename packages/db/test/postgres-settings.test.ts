import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { withPartitions } from '../src/checks/partitions.js';
import { connectDatabase } from '../src/database/client.js';
import { classifyFailure } from '../src/database/database-failure.js';
import { postgresWarnings } from '../src/database/durability-warnings.js';
import { poolerWarnings, warningsOf } from '../src/database/pooler-warnings.js';
import { withConnection } from '../src/database/with-connection.js';

const database = await createDatabase();
t.teardown(() => database.drop());
const open = () => connectDatabase({ url: database.url, name: 'test' });

t.test('each setting that can lose a commit is named', async (t) => {
  const db = open();
  // The Postgres of the tests gives up durability for speed.
  t.match(await postgresWarnings(db), [
    /^Postgres runs with fsync off instead of on: /,
    /full_page_writes off/,
    /synchronous_commit off/,
  ]);
  const name = new URL(database.url).pathname.slice(1);
  await db.$executeRawUnsafe(`ALTER DATABASE "${name}" SET synchronous_commit = 'remote_write'`);
  await db.$disconnect();
  const again = open();
  t.match(await postgresWarnings(again), [/fsync/, /full_page_writes/]);
  t.equal((await postgresWarnings(again)).length, 2);
  await again.$disconnect();
});

t.test('a pooler that forgets prepared statements is named', async (t) => {
  t.strictSame(await poolerWarnings(database.url), [], 'Postgres itself forgets none');
  await withConnection(database.url, (client) =>
    withConnection(database.url, async (other) => {
      // As a transaction of the other client on the server connection of this one: its statements are gone.
      const pooled = new Proxy(other, {
        get: (target, name) =>
          name === 'query'
            ? async (text: string) => {
                await client.query('DEALLOCATE ALL');
                return target.query(text);
              }
            : Reflect.get(target, name),
      });
      t.match(await warningsOf(client, pooled), [/forgets prepared statements: use session mode/]);
    }),
  );
});

/** As the adapter reports it from a server that speaks another language. */
const violation = Object.assign(new Error('Prisma'), {
  meta: {
    driverAdapterError: {
      cause: { originalCode: '23514', originalMessage: 'keine Partition von Relation »check_logs«' },
    },
  },
});

t.test('a missing partition is made whatever language Postgres speaks', async (t) => {
  const db = open();
  let tries = 0;
  const statement = async () => {
    if (++tries === 1) throw violation;
    const rows = await db.$queryRaw<{ there: boolean }[]>`
      SELECT to_regclass('check_logs_2031_07') IS NOT NULL AS there`;
    return rows[0]?.there;
  };
  t.equal(await withPartitions(db, ['2031-07'], statement), true);
  await t.rejects(withPartitions(db, ['2031-07'], () => Promise.reject(violation)));
  t.equal(classifyFailure(violation), 'data', 'a second time it is the data');
  await db.$disconnect();
});

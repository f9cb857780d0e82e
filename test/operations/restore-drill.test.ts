import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { NODE_ARGUMENTS, programFile } from '@verdict/local-stack/program.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { testServer } from '@verdict/local-stack/test-server.js';
import { Client } from 'pg';
import t from 'tap';
import { finish } from '../harness/compose.js';

const CLI = programFile('verdict');

function verdict(env: Record<string, string>, ...args: string[]) {
  return finish(process.execPath, [...NODE_ARGUMENTS, CLI, ...args], { REDIS_TIMEOUT_MS: '20000', ...env });
}

t.test('everything is lost but the backup: keys work, usage is whole, the bill is the same', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'verdict-backup-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const before = await startStack();
  t.teardown(() => before.stop());
  for (let i = 0; i < 25; i++)
    await before.api('check/', { json: { email: `drill-${i}@gmail.com`, ip: '203.0.113.9' } });
  const rows =
    'SELECT to_jsonb(l) || to_jsonb(s) AS row FROM check_logs l JOIN check_subjects s USING (id) ORDER BY l.id';
  const original = await eventually(async () => {
    const found = await before.sql<{ row: object }>(rows);
    return found.length === 25 && found;
  });
  const taken = await verdict({ DATABASE_URL: before.database.url }, 'backup', folder);
  t.equal(taken.code, 0, taken.stderr || 'the backup is taken');
  const second = await verdict({ DATABASE_URL: before.database.url }, 'backup', folder);
  t.equal(second.code, 1);
  t.match(second.stderr, /is not empty/, 'no backup is written over another');

  const target = await emptyDatabase();
  t.teardown(target.drop);
  const restored = await verdict({ DATABASE_URL: target.url }, 'restore', folder);
  t.equal(restored.code, 0, restored.stderr || 'the backup is restored');
  t.strictSame((await target.query(rows)).rows, original, 'every row, to the microsecond');
  const again = await verdict({ DATABASE_URL: target.url }, 'restore', folder);
  t.equal(again.code, 1);
  t.match(again.stderr, /has accounts already/, 'nothing is restored over a living database');

  // A Redis that knows nothing, and services that know only the restored database.
  const after = await startStack({ env: { all: { DATABASE_URL: target.url } } });
  t.teardown(() => after.stop());
  const headers = { 'x-api-key': before.apiKey };
  t.match((await after.api('usage/', { headers })).body, { checks_used: 25 });
  t.equal((await after.api('check/', { headers, json: { email: 'after@gmail.com' } })).status, 200);
  t.match((await after.api('usage/', { headers })).body, { checks_used: 26 });
  await eventually(async () => (await target.query('SELECT 1 FROM check_logs')).rows.length === 26);
  const reconciled = await verdict({ DATABASE_URL: target.url, REDIS_URL: after.redis.url }, 'reconcile');
  t.equal(reconciled.code, 0, reconciled.stdout);
});

async function emptyDatabase() {
  const { url: server } = await testServer();
  const admin = new Client({ connectionString: server });
  await admin.connect();
  const name = `restore_${process.pid}_${Date.now()}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  url.searchParams.set('connect_timeout', '60');
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return {
    url: url.href,
    query: (text: string) => client.query<{ row: object }>(text),
    async drop() {
      await client.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

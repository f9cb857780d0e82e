import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { NODE_ARGUMENTS, programFile } from '@verdict/local-stack/program.js';
import { query } from '@verdict/local-stack/query.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
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

  const target = await createDatabase('template0');
  t.teardown(target.drop);
  const restored = await verdict({ DATABASE_URL: target.url }, 'restore', folder);
  t.equal(restored.code, 0, restored.stderr || 'the backup is restored');
  t.strictSame(await query(target.url, rows), original, 'every row, to the microsecond');
  const again = await verdict({ DATABASE_URL: target.url }, 'restore', folder);
  t.equal(again.code, 1);
  t.match(again.stderr, /has accounts already/, 'nothing is restored over a living database');

  // A Redis that knows nothing, and services that know only the restored database.
  const after = await startStack({ database: { ...target, urlOf: () => target.url } });
  t.teardown(() => after.stop());
  const headers = { 'x-api-key': before.apiKey };
  t.match((await after.api('usage/', { headers })).body, { checks_used: 25 });
  t.equal((await after.api('check/', { headers, json: { email: 'after@gmail.com' } })).status, 200);
  t.match((await after.api('usage/', { headers })).body, { checks_used: 26 });
  await eventually(async () => (await query(target.url, 'SELECT 1 FROM check_logs')).length === 26);
  const reconciled = await verdict({ DATABASE_URL: target.url, REDIS_URL: after.redis.url }, 'reconcile');
  t.equal(reconciled.code, 0, reconciled.stdout);
});

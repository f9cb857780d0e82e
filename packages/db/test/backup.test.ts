import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { type BackupManifest, backUp } from '../src/database/backup.js';
import { restore } from '../src/database/restore.js';
import { withConnection } from '../src/database/with-connection.js';

const folder = await mkdtemp(join(tmpdir(), 'verdict-backup-'));
const database = await createDatabase();
t.teardown(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

t.test('a backup that was cut off is repeated, and what a restore reads is what was written', async (t) => {
  await withConnection(database.url, (client) =>
    client.query("INSERT INTO accounts (id, name, plan) VALUES ('acc_1', 'One', 'free')"),
  );
  const nightly = join(folder, '2026-11-15');
  await mkdir(`${nightly}.partial`);
  await writeFile(join(`${nightly}.partial`, 'accounts.ndjson.gz'), 'half a file');
  await backUp(database.url, nightly);
  t.strictSame(await readdir(folder), ['2026-11-15'], 'nothing is left of the one before');
  await t.rejects(backUp(database.url, nightly), /is not empty/, 'a whole one is never replaced');
  const manifest = JSON.parse(await readFile(join(nightly, 'manifest.json'), 'utf8')) as BackupManifest;
  t.ok(
    manifest.tables.length > 10 && manifest.tables.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256 ?? '')),
  );

  const file = join(nightly, 'accounts.ndjson.gz');
  const content = await readFile(file);
  await writeFile(file, await readFile(join(nightly, 'users.ndjson.gz')));
  const elsewhere = await createDatabase();
  t.teardown(() => elsewhere.drop());
  if (!content.equals(await readFile(file))) {
    await t.rejects(restore(elsewhere.url, nightly), /accounts.ndjson.gz is not the file that was backed up/);
  } else t.fail('the two files are equal');
  await writeFile(file, content);
  await t.resolves(restore(elsewhere.url, nightly));
});

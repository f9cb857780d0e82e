import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeTime } from '@verdict/domain/id.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { withConnection } from '../src/database/with-connection.js';
import { factsColumns } from '../src/facts/facts-columns.js';
import { writeFactsFile } from '../src/facts/facts-file.js';
import { factsName } from '../src/facts/facts-manifest.js';
import type { FactsRow } from '../src/facts/facts-row.js';
import { findArchivedCheck } from '../src/facts/find-archived-check.js';
import { findStoredCheck } from '../src/facts/find-stored-check.js';
import { readArchivedChecks } from '../src/facts/read-archived-checks.js';

const database = await createDatabase();
const folder = mkdtempSync(join(tmpdir(), 'verdict-facts-'));
t.teardown(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});
const columns = await withConnection(database.url, factsColumns);

const idAt = (moment: string, end = 'S') => `log_${encodeTime(Date.parse(moment))}ABCDEFGHJKMNPQR${end}`;
/** Every other one has lists, as checks of customers with lists and repeated things do. */
const check = (moment: string, madeAt = moment): FactsRow => ({
  ...Object.fromEntries(columns.map(({ name }) => [name, null])),
  id: idAt(madeAt),
  account_id: 'acc_1',
  created_at: moment.replace('Z', '000+00:00'),
  decision: 'block',
  factors: '[{"code": "disposable_domain"}]',
  ...(Number(moment.slice(11, 13)) % 2 === 1 && {
    seen: [1, -2, Number(moment.slice(11, 13))],
    extra: ['a "b"', ''],
  }),
});
async function* pagesOf(rows: readonly FactsRow[]) {
  for (let i = 0; i < rows.length; i += 2) yield rows.slice(i, i + 2);
}

const hours = Array.from({ length: 7 }, (_, i) => `2026-07-04T0${i}:00:00.000Z`);
const late = check('2026-07-05T00:00:00.250Z', '2026-07-04T23:59:59.900Z');
await writeFactsFile(
  join(folder, `${factsName('2026-07-04')}.parquet`),
  columns,
  pagesOf(hours.map((at) => check(at))),
);
await writeFactsFile(join(folder, `${factsName('2026-07-05')}.parquet`), columns, pagesOf([late]));

t.test('a check is found by its id alone, in every row group and behind midnight', async (t) => {
  for (const at of hours) t.strictSame(await findArchivedCheck(folder, idAt(at)), check(at), at);
  t.strictSame(await findArchivedCheck(folder, String(late.id)), late);
});

t.test("an account's checks of a day are read newest first, and no others", async (t) => {
  const day = '2026-07-10';
  // Row groups of two: some have none of its checks, one, or two.
  const owners = ['acc_1', 'acc_2', 'acc_2', 'acc_2', 'acc_3', 'acc_2', 'acc_1', 'acc_3', 'acc_2'];
  const rows = owners.map((account_id, i): FactsRow => ({ ...check(`${day}T0${i}:00:00.000Z`), account_id }));
  await writeFactsFile(join(folder, `${factsName(day)}.parquet`), columns, pagesOf(rows));
  for (const accountId of ['acc_1', 'acc_2', 'acc_3', 'acc_4']) {
    const ids: unknown[] = [];
    for await (const page of readArchivedChecks(folder, day, accountId))
      ids.push(...page.map(({ id }) => id));
    const own = rows.filter(({ account_id }) => account_id === accountId);
    t.strictSame(ids, own.map(({ id }) => id).toReversed());
  }
});

t.test('an id that no file holds is not found, and a damaged file says so', async (t) => {
  t.equal(await findArchivedCheck(folder, idAt(hours[3] ?? '', 'T')), null, 'the neighbour of a check');
  t.equal(await findArchivedCheck(folder, idAt('2026-07-04T12:00:00.000Z')), null);
  t.equal(await findArchivedCheck(folder, idAt('2026-09-01T12:00:00.000Z')), null, 'a day without a file');
  writeFileSync(join(folder, `${factsName('2026-08-01')}.parquet`), 'cut off');
  await t.rejects(findArchivedCheck(folder, idAt('2026-08-01T12:00:00.000Z')));
});

t.test('a check of the database reads as its file will', async (t) => {
  const at = '2026-07-06T10:00:00.000Z';
  const id = idAt(at);
  const day = join(folder, `${factsName('2026-07-06')}.parquet`);
  await withConnection(database.url, async (client) => {
    t.equal(await findStoredCheck(client, id), null);
    await client.query(`SELECT ensure_check_partitions('2026-07-01'::date)`);
    await client.query(
      `INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at,
         extra, seen) VALUES ($1, 'acc_1', 'key_1', 'block', 90, '{"b": 1, "a": [2]}', '[]', 'd', 'req_1', $2, '{"a \\"b\\""}', '{1,-2}')`,
      [id, at],
    );
    const stored = await findStoredCheck(client, id);
    t.match(stored, { id, decision: 'block', created_at: '2026-07-06T10:00:00.000000+00:00', seen: [1, -2] });
    t.equal(await findStoredCheck(client, `${id}' OR 'a' = 'a`), null);
    await writeFactsFile(day, columns, pagesOf(stored ? [stored] : []));
    t.strictSame(await findArchivedCheck(folder, id), stored);
  });
});

import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rebuildUsage } from '@verdict/db/billing/billing-months.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { withConnection } from '@verdict/db/database/with-connection.js';
import { archiveFacts } from '@verdict/db/facts/archive-facts.js';
import { readFactsFile } from '@verdict/db/facts/facts-file.js';
import { restoreFacts } from '@verdict/db/facts/restore-facts.js';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import t from 'tap';
import { closeMonth } from '../src/close-month.js';
import { reconcile } from '../src/reconcile.js';
import { reconcileNew } from '../src/reconcile-new.js';
import { checkLog, createId, rowsOf, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, databaseUrl } = setting;
const plans = readPlans(inRoot('config/plans.json'));
const id = createId('acc');
await db.account.create({
  data: { id, name: id, plan: 'free', createdAt: new Date('2026-01-01T00:00:00Z') },
});
const month = addMonths(monthOf(new Date()), -1);
const { end } = monthBounds(month);
const [year, number] = month.split('-');
const partition = `check_logs_${year}_${number}`;
const check = (decision: 'allow' | 'block' = 'allow') =>
  persistChecks(
    db,
    rowsOf([
      checkLog({
        account_id: id,
        created_at: `${month}-10T10:00:00.000001+00:00`,
        verdict: verdictOf(decision, 'Said "no", twice'),
      }),
    ]),
  );
const rowsAsText = async (): Promise<string> => {
  const [row] = await db.$queryRaw<{ text: string }[]>`
    SELECT coalesce(string_agg(c::text, E'\n' ORDER BY id), '') AS text FROM check_logs c WHERE account_id = ${id}`;
  return row?.text ?? '';
};
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'verdict-facts-'));
  t.teardown(() => rmSync(made, { recursive: true, force: true }));
  return made;
};
const archive = (to: string) => withConnection(databaseUrl, (client) => archiveFacts(client, month, to));
const restore = (manifest: string) => withConnection(databaseUrl, (client) => restoreFacts(client, manifest));
const kept = folder();
let before = '';

t.test('a month goes only after it was closed, reconciled, and its addresses have gone', async (t) => {
  for (let i = 0; i < 5; i++) await check(i < 2 ? 'block' : 'allow');
  await t.rejects(archive(folder()), /it is not closed/);
  await closeMonth(db, month, plans);
  await t.rejects(archive(folder()), /not been reconciled since it was closed/);
  t.strictSame(await reconcileNew(setting, month, end), []);
  await t.rejects(archive(folder()), /addresses are still kept/);
  t.equal((await setting.counts(id)).rows, 5);
  await db.$executeRaw`SELECT drop_check_subjects((${month} || '-01')::date)`;
});

t.test('a check that is stored while the file is written is not dropped', async (t) => {
  const to = folder();
  const attempt = withConnection(databaseUrl, (client) =>
    archiveFacts(
      new Proxy(client, {
        get(target, name) {
          const value = Reflect.get(target, name);
          if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
          return (...args: Parameters<typeof target.query>) =>
            String(args[0]).startsWith('LOCK TABLE')
              ? check().then(() => target.query(...args))
              : target.query(...args);
        },
      }),
      month,
      to,
    ),
  );
  await t.rejects(attempt, /were stored meanwhile/);
  t.equal((await setting.counts(id)).rows, 6);
  // It came late, so its month's addresses are there again.
  await db.$executeRaw`SELECT drop_check_subjects((${month} || '-01')::date)`;
});

t.test('the file holds every row as it was, and the month still adds up', async (t) => {
  const [first, second] = await db.checkLog.findMany({ where: { accountId: id }, orderBy: { id: 'asc' } });
  await db.$executeRaw`UPDATE check_logs SET extra = ${['a "b"', 'c\\d, {e}', '']}, seen = '{1,-2,30000}', ip_network = '',
    policy_version = 7, policy_rule = 0, shadow = '{"rule": "x, \\"y\\"\\n"}' WHERE id = ${first?.id}`;
  await db.$executeRaw`UPDATE check_logs SET extra = NULL, seen = NULL, verdict_score = NULL WHERE id = ${second?.id}`;
  before = await rowsAsText();
  const taken = folder();
  writeFileSync(join(taken, `${partition}.parquet`), 'of another installation');
  await t.rejects(archive(taken), /is there already/);
  t.equal(readFileSync(join(taken, `${partition}.parquet`), 'utf8'), 'of another installation');
  writeFileSync(join(kept, `${partition}.parquet.partial`), 'a run that was killed');
  const manifest = await archive(kept);
  t.match(manifest, { month, rows: 6, by_decision: { allow: 4, block: 2 } });
  const found = await readFactsFile(join(kept, manifest.file)).next();
  t.strictSame(Object.keys(found.value?.[0] ?? {}), manifest.columns);
  t.match(found.value, [
    {
      id: first?.id,
      created_at: `${month}-10T10:00:00.000001+00:00`,
      seen: [1, -2, 30_000],
      policy_version: 7,
    },
    { id: second?.id, extra: null },
  ]);
  t.equal(found.value?.length, 6);
  t.notOk(existsSync(join(kept, `${partition}.parquet.partial`)));
  t.strictSame(await setting.counts(id), { rows: 0, counted: 5, adjusted: 1 });
  t.strictSame(await reconcile(setting, month), []);
  await t.rejects(rebuildUsage(db, month), /archived/, 'recounting would bill nothing');
  await t.rejects(archive(folder()), /it is archived/);
});

t.test('a check that is late for an archived month is stored and counted', async (t) => {
  t.equal(await check(), 1);
  t.strictSame(await setting.counts(id), { rows: 1, counted: 5, adjusted: 2 });
  t.strictSame(await reconcile(setting, month), []);
  await db.$executeRaw`DELETE FROM usage_adjustments a USING check_logs c WHERE c.account_id = a.account_id AND a.billed_month IS NULL`;
  await db.$executeRawUnsafe(`DELETE FROM "${partition}"`);
});

t.test('a file that was changed or cut off brings nothing back', async (t) => {
  const bad = folder();
  for (const name of [`${partition}.parquet`, `${partition}.json`])
    copyFileSync(join(kept, name), join(bad, name));
  appendFileSync(join(bad, `${partition}.parquet`), 'x');
  await t.rejects(restore(join(bad, `${partition}.json`)));
  const whole = readFileSync(join(kept, `${partition}.parquet`));
  writeFileSync(join(bad, `${partition}.parquet`), whole.subarray(0, whole.length / 2));
  await t.rejects(restore(join(bad, `${partition}.json`)));
  await t.rejects(restore(join(bad, 'missing.json')), /cannot be read as a manifest/);
  t.equal((await setting.counts(id)).rows, 0);
});

t.test('a file that was changed together with its manifest brings nothing back', async (t) => {
  const bad = folder();
  const [file, manifest] = [`${partition}.parquet`, `${partition}.json`];
  const changed = Buffer.concat([readFileSync(join(kept, file)), Buffer.from('x')]);
  writeFileSync(join(bad, file), changed);
  const said = JSON.parse(readFileSync(join(kept, manifest), 'utf8')) as object;
  const sha256 = createHash('sha256').update(changed).digest('hex');
  writeFileSync(join(bad, manifest), JSON.stringify({ ...said, sha256 }));
  await t.rejects(restore(join(bad, manifest)), /is not the file that was archived/);
  t.equal((await setting.counts(id)).rows, 0);
});

t.test('a restored month is the one that was archived, and is compared again', async (t) => {
  await restore(join(kept, `${partition}.json`));
  t.equal(await rowsAsText(), before);
  await t.rejects(restore(join(kept, `${partition}.json`)), /is not archived/);
  await t.rejects(archive(folder()), /not been reconciled/);
});

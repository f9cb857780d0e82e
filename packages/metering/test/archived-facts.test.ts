import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rebuildUsage } from '@verdict/db/billing/billing-months.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { withConnection } from '@verdict/db/database/with-connection.js';
import { type ArchivedMonth, archiveFacts } from '@verdict/db/facts/archive-facts.js';
import { archiveInThread } from '@verdict/db/facts/archive-in-thread.js';
import { readFactsFile } from '@verdict/db/facts/facts-file.js';
import { restoreFacts } from '@verdict/db/facts/restore-facts.js';
import { encodeTime } from '@verdict/domain/id.js';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { programFile } from '@verdict/local-stack/program.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import t from 'tap';
import { startProcess } from '../../../scripts/lib/start-process.mjs';
import { closeMonth } from '../src/close-month.js';
import { pendingSince } from '../src/pending-of-month.js';
import { reconcile } from '../src/reconcile.js';
import { reconcileNew } from '../src/reconcile-new.js';
import { checkLog, createId, rowsOf, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, databaseUrl, redisUrl } = setting;
const plans = readPlans(inRoot('config/plans.json'));
const id = createId('acc');
await db.account.create({
  data: { id, name: id, plan: 'free', createdAt: new Date('2026-01-01T00:00:00Z') },
});
const month = addMonths(monthOf(new Date()), -1);
const { end } = monthBounds(month);
const [year, number] = month.split('-');
const partition = `check_logs_${year}_${number}`;
const nameOf = (day: number) => `${partition}_${String(day).padStart(2, '0')}`;
const check = (decision: 'allow' | 'block' = 'allow', day = 10) =>
  persistChecks(
    db,
    rowsOf([
      checkLog({
        account_id: id,
        created_at: `${month}-${String(day).padStart(2, '0')}T10:00:00.000001+00:00`,
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
const archive = async (to: string, before = end) => {
  const since = await pendingSince(setting);
  return withConnection(databaseUrl, (client) =>
    archiveFacts(client, { month, before, folder: to, pendingSince: since }),
  );
};
const restore = (from: string) => withConnection(databaseUrl, (client) => restoreFacts(client, month, from));
const dropSubjects = () => db.$executeRaw`SELECT drop_check_subjects((${month} || '-01')::date)`;
/** All rows, the check that came last included. */
let before = '';
/** Stores a check when a statement that contains this text is about to run. */
const checkBefore = (words: string, to: string, day?: number) =>
  withConnection(databaseUrl, (client) => {
    let isStored = false;
    const meddled = new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
        return async (...args: Parameters<typeof target.query>) => {
          if (!isStored && String(args[0]).includes(words)) {
            isStored = true;
            await check('allow', day);
            await dropSubjects();
            before = await rowsAsText();
          }
          return target.query(...args);
        };
      },
    });
    return archiveFacts(meddled, { month, before: end, folder: to, pendingSince: null });
  });
const kept = folder();

t.test('a day is written once its month is closed and reconciled and the day is old enough', async (t) => {
  for (let i = 0; i < 5; i++) await check(i < 2 ? 'block' : 'allow');
  await check('allow', 20);
  await t.rejects(archive(folder()), /it is not closed/);
  await closeMonth(db, month, plans);
  await t.rejects(archive(folder()), /not been reconciled since it was closed/);
  t.strictSame(await reconcileNew(setting, month, end), []);
  const to = folder();
  const young: ArchivedMonth[] = [];
  const data = {
    ...{ databaseUrl, folder: to, pendingSince: null },
    before: new Date(`${month}-20T23:59:59Z`),
  };
  await archiveInThread(data, new AbortController().signal, (archived) => young.push(archived));
  t.match(young[0], { written: [`${month}-10`], rows: 5, kept: 'its last days are not old enough' });
  t.strictSame(readdirSync(to), [`${nameOf(10)}.json`, `${nameOf(10)}.parquet`]);
});

t.test('the rows stay as long as the addresses of their month', async (t) => {
  const to = folder();
  t.match(await archive(to), {
    written: [`${month}-10`, `${month}-20`],
    rows: 6,
    kept: /addresses are still kept/,
  });
  t.equal((await setting.counts(id)).rows, 6);
  t.match(await archive(to), { written: [], rows: 6 }, 'a whole file is not written again');
  await t.rejects(
    db.$executeRaw`SELECT drop_archived_checks((${month} || '-01')::date, '{}', '{}', '{}', '')`,
    /its addresses gone/,
    'nor does the function drop them',
  );
  await dropSubjects();
});

t.test('one process writes at a time, and a lock ends with its connection', async (t) => {
  const to = folder();
  await withConnection(databaseUrl, async (client) => {
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('archive_facts'))`);
    await t.rejects(archive(to), /another process is writing/);
    const data = { databaseUrl, before: end, folder: to, pendingSince: null };
    await archiveInThread(data, new AbortController().signal, () => t.fail('the other one has the turn'));
  });
  t.strictSame(readdirSync(to), []);
});

t.test(
  'on a full disk no day looks whole, and the run after it continues',
  { skip: !existsSync('/dev/full') },
  async (t) => {
    const to = folder();
    const partial = join(to, `${nameOf(20)}.parquet.partial`);
    symlinkSync('/dev/full', partial);
    await t.rejects(archive(to), { code: 'ENOSPC' });
    t.equal((await setting.counts(id)).rows, 6);
    t.notOk(readdirSync(to).includes(`${nameOf(20)}.json`));
    rmSync(partial);
    t.match(await archive(to, new Date(`${month}-21`)), { written: [`${month}-20`], rows: 6 });
  },
);

t.test(
  'a month stays while a check of it is queued or set aside, which a retry would count twice',
  async (t) => {
    const to = folder();
    const logIds = [`log_${encodeTime(end.getTime() - 1)}ABCDEFGHJKMNPQRS`];
    const letter = { id: 'letter', reason: 'refused', logIds, queuedAtMs: Date.now(), shard: 0, payload: {} };
    await setting.deadLetters.add(letter);
    const kept = { rows: 6, kept: /may still be queued or set aside/ };
    t.match(await archive(to), kept);
    await setting.deadLetters.remove(letter.id);
    t.equal(await pendingSince(setting), null);
    await setting.queue({}, end.getTime() + 1_000);
    t.match(await archive(to), kept, 'its clock may have been ahead');
    t.equal((await setting.counts(id)).rows, 6);
    await setting.redis.flushall();
  },
);

t.test('the files hold every row as it was, and the month still adds up', async (t) => {
  const [first, second] = await db.checkLog.findMany({
    where: { accountId: id },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  await db.$executeRaw`UPDATE check_logs SET extra = ${['a "b"', 'c\\d, {e}', '']}, seen = '{1,-2,30000}', ip_network = '',
    policy_version = 7, policy_rule = 0, shadow = '{"rule": "x, \\"y\\"\\n"}' WHERE id = ${first?.id}`;
  await db.$executeRaw`UPDATE check_logs SET extra = NULL, seen = NULL, verdict_score = NULL WHERE id = ${second?.id}`;
  const taken = folder();
  writeFileSync(join(taken, `${nameOf(10)}.parquet`), 'of another installation');
  await t.rejects(archive(taken), /is there without a manifest/);
  t.equal(readFileSync(join(taken, `${nameOf(10)}.parquet`), 'utf8'), 'of another installation');
  writeFileSync(join(kept, `${nameOf(10)}.parquet.partial`), 'a run that was killed');
  writeFileSync(join(kept, `${nameOf(20)}.json`), 'of something else');
  await t.rejects(archive(kept), /cannot be read as a manifest/);
  rmSync(join(kept, `${nameOf(20)}.json`));
  // A day that had no check is stored for while its file is written: it is in no file, and nothing is dropped without it.
  const archived = await checkBefore('drop_archived_checks', kept, 15);
  t.match(archived, { written: [`${month}-10`, `${month}-15`, `${month}-20`], rows: 7, kept: null });
  t.strictSame(
    readdirSync(kept),
    [10, 15, 20].flatMap((day) => [`${nameOf(day)}.json`, `${nameOf(day)}.parquet`]),
  );
  const found = await readFactsFile(join(kept, `${nameOf(10)}.parquet`)).next();
  t.match(found.value, [
    {
      id: first?.id,
      created_at: `${month}-10T10:00:00.000001+00:00`,
      seen: [1, -2, 30_000],
      policy_version: 7,
    },
    { id: second?.id, extra: null },
  ]);
  t.equal(found.value?.length, 5);
  t.strictSame(await setting.counts(id), { rows: 0, counted: 6, adjusted: 1 });
  t.strictSame(await reconcile(setting, month), []);
  await t.rejects(rebuildUsage(db, month), /archived/, 'recounting would bill nothing');
  await t.rejects(archive(folder()), /it is archived/);
});

t.test('a check that is late for an archived month is stored and counted', async (t) => {
  t.equal(await check(), 1);
  t.strictSame(await setting.counts(id), { rows: 1, counted: 6, adjusted: 2 });
  t.strictSame(await reconcile(setting, month), []);
  await db.$executeRaw`DELETE FROM usage_adjustments a USING check_logs c WHERE c.account_id = a.account_id AND a.billed_month IS NULL`;
  await db.$executeRawUnsafe(`DELETE FROM "${partition}"`);
  await db.$executeRaw`INSERT INTO usage_adjustments (account_id, key_id, hour, decision, checks, reason)
    SELECT account_id, key_id, date_trunc('day', hour, 'UTC') + interval '5 days 10 hours', decision, 1, 'late'
    FROM usage_hourly WHERE account_id = ${id} AND decision = 'allow' ORDER BY hour LIMIT 1`;
});

t.test('a file that was changed, cut off or is missing brings nothing back', async (t) => {
  const copied = () => {
    const to = folder();
    cpSync(kept, to, { recursive: true });
    return to;
  };
  const longer = copied();
  const fileOf = (from: string) => join(from, `${nameOf(10)}.parquet`);
  appendFileSync(fileOf(longer), 'x');
  await t.rejects(restore(longer), /is not the file that was archived/);
  const shorter = copied();
  const whole = readFileSync(fileOf(shorter));
  writeFileSync(fileOf(shorter), whole.subarray(0, whole.length / 2));
  await t.rejects(restore(shorter), /is not the file that was archived/);
  const missing = copied();
  rmSync(fileOf(missing));
  await t.rejects(restore(missing), /ENOENT/);
  rmSync(join(missing, `${nameOf(10)}.json`));
  await t.rejects(restore(missing), /are not those of the archived/);
  t.equal((await setting.counts(id)).rows, 0);
});

t.test('a file that was changed together with its manifest brings nothing back', async (t) => {
  const bad = folder();
  cpSync(kept, bad, { recursive: true });
  const [file, manifest] = [join(bad, `${nameOf(10)}.parquet`), join(bad, `${nameOf(10)}.json`)];
  appendFileSync(file, 'x');
  const said = JSON.parse(readFileSync(manifest, 'utf8')) as object;
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  writeFileSync(manifest, JSON.stringify({ ...said, sha256 }));
  await t.rejects(restore(bad), /are not those of the archived/);
  t.equal((await setting.counts(id)).rows, 0);
});

t.test('a restored month is the one that was archived, and is compared again', async (t) => {
  t.equal((await restore(kept)).length, 3);
  t.equal(await rowsAsText(), before);
  await t.rejects(restore(kept), /is not archived/);
  await t.rejects(archive(folder()), /not been reconciled/);
  t.strictSame(await reconcileNew(setting, month, end), []);
});

t.test('a run that is killed anywhere is continued, and nothing goes that is in no file', async (t) => {
  for (let day = 1; day <= 28; day++) await check(day % 2 ? 'block' : 'allow', day);
  await dropSubjects();
  before = await rowsAsText();
  const to = folder();
  const args = [programFile('verdict'), 'facts', 'archive', '--before', addMonths(month, 1), '--to', to];
  const start = () =>
    startProcess(process.execPath, args, {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      PATH: process.env.PATH,
    });
  const files = () => readdirSync(to).length;
  for (const more of [1, 2, 3, 7, 12]) {
    const seen = files();
    const run = start();
    await eventually(() => run.end() || files() >= seen + more, { everyMs: 1 });
    await run.kill();
    const rows = await rowsAsText();
    // On a busy machine it may have got to its end before the signal.
    t.ok(rows === before || (rows === '' && files() >= 2 * 28), 'all rows, or a file for each day');
  }
  const last = start();
  t.equal((await last.exited).code, 0, last.output());
  t.equal(await rowsAsText(), '');
  await restore(to);
  t.equal(await rowsAsText(), before);
});

t.test('a file whose rows are others is kept, and its day written again', async (t) => {
  await db.$executeRaw`UPDATE billing_periods SET reconciled_to = ${end} WHERE month = (${month} || '-01')::date`;
  await dropSubjects();
  const old = readFileSync(join(kept, `${nameOf(10)}.parquet`));
  const damaged = join(kept, `${nameOf(20)}.parquet`);
  writeFileSync(damaged, readFileSync(damaged).fill(0));
  t.match(await checkBefore('drop_archived_checks', kept, 28), { kept: null });
  const aside = readdirSync(kept).filter((name) => name.startsWith(`${nameOf(10)}.parquet.before-`));
  t.equal(aside.length, 1);
  t.strictSame(readFileSync(join(kept, aside[0] ?? '')), old);
  await restore(kept);
  t.equal(await rowsAsText(), before);
});

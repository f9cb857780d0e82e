import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monthOf } from '@verdict/domain/month.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { NODE_ARGUMENTS, programFile } from '@verdict/local-stack/program.js';
import { startStack, type TestStack } from '@verdict/local-stack/start-stack.js';
import { startTestServer } from '@verdict/local-stack/test-server.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t, { type Test } from 'tap';
import { startCheckLoad } from '../harness/check-load.js';
import { finish } from '../harness/compose.js';
import { persistedChecks } from '../harness/persisted-checks.js';
import { buildPreload } from './support/build-preload.js';
import { startChaosStack } from './support/chaos-stack.js';
import { createDisk } from './support/fillable-disk.js';
import { openMetering } from './support/open-metering.js';
import { printFigures } from './support/print-figures.js';

const library = buildPreload('full-disk');
const options = library ? {} : { skip: 'no C compiler here: the disk of a process cannot be filled' };
const CHECKS = 200;

const startLoad = ({ baseUrls, apiKey }: TestStack) =>
  startCheckLoad({ baseUrls, apiKey, connections: 8, perSecond: 200 });
type Load = ReturnType<typeof startLoad>;

/** Waits for so many answers more, and returns how many there are. */
function answers(load: Load, more: number): Promise<number> {
  const target = load.accepted() + more;
  return eventually(() => load.accepted() >= target && load.accepted(), { withinMs: 240_000 });
}

/** Every answer has one row and is billed once; failed checks may have a row too, because their reply was on its way. */
async function everythingIsThere(t: Test, stack: TestStack, load: Load, title: string): Promise<void> {
  const { accepted, attempts, failures } = await load.stop();
  const { rows, rollup, lost } = await persistedChecks(stack.sql, stack.accountId, accepted);
  printFigures(title, { attempts, accepted: accepted.length, failures, rows, lost: lost.length });
  t.strictSame(lost, [], `0 of ${accepted.length} answered checks were lost`);
  t.equal(rollup, rows);
  t.ok(rows >= accepted.length && rows <= attempts, `${rows} rows for ${attempts} attempts`);
}

t.test('Redis whose disk fills up ends, and starts with every answered check', options, async (t) => {
  const disk = createDisk(library ?? '');
  const stack = await startStack({ redis: { environment: disk.environment } });
  t.teardown(() => stack.stop());
  const metering = openMetering(stack.redis.url, stack.database.url);
  t.teardown(() => metering.close());
  const load = startLoad(stack);
  await answers(load, CHECKS);
  disk.fill();
  t.match(await stack.redis.exited, { code: 1 });
  t.match(stack.redis.output(), /AOF.*No space left|Short write/s);
  const answered = load.accepted();
  // A container engine restarts it: it reads its file, and ends with the first write.
  await stack.redis.restart().catch(() => {});
  t.match(await stack.redis.exited, { code: 1 });
  const attempted = load.attempts();
  await eventually(() => load.attempts() >= attempted + 50);
  t.equal(load.accepted(), answered, 'nothing is answered that cannot be kept');
  disk.enlarge();
  await stack.redis.restart();
  await answers(load, CHECKS);
  await everythingIsThere(t, stack, load, t.name);
  t.strictSame(await reconcile(metering, monthOf(new Date())), []);
});

t.test(
  'a Postgres whose disk fills up costs no check, and gets each when it has room',
  options,
  async (t) => {
    const disk = createDisk(library ?? '');
    const name = `full-disk-postgres-${process.pid}`;
    const server = await startTestServer(name, { fsync: 'off' }, disk.environment);
    process.once('exit', server.stopNow);
    const chaos = await startChaosStack(server.url);
    t.teardown(() => chaos.stop());
    const { stack, metering } = chaos;
    const load = startLoad(stack);
    await answers(load, CHECKS);
    disk.fill();
    await eventually(() => server.output().includes('No space left on device'));
    await answers(load, CHECKS);
    const { waiting, active } = await readBacklog(metering.redis, metering.shards);
    t.ok(waiting + active > 0, `${waiting + active} jobs wait`);
    disk.enlarge();
    // One that met the full disk while it wrote its own log has ended.
    await eventually(() => server.restart().then(() => true));
    await answers(load, CHECKS);
    await everythingIsThere(t, stack, load, t.name);
    const { failed } = await readBacklog(metering.redis, metering.shards);
    t.equal(failed + (await metering.deadLetters.count()), 0, 'no job is blamed for the disk');
    t.strictSame(await reconcile(metering, monthOf(new Date())), []);
  },
);

t.test('a backup that a full disk cut off leaves the one before, and is repeated', options, async (t) => {
  const disk = createDisk(library ?? '');
  const database = await createDatabase();
  t.teardown(() => database.drop());
  const folder = mkdtempSync(join(tmpdir(), 'verdict-backup-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const backUp = (day: string) =>
    finish(process.execPath, [...NODE_ARGUMENTS, programFile('verdict'), 'backup', join(folder, day)], {
      DATABASE_URL: database.url,
      ...disk.environment,
    });
  t.equal((await backUp('2026-11-14')).code, 0);
  disk.fill();
  const cutOff = await backUp('2026-11-15');
  t.equal(cutOff.code, 1);
  t.match(cutOff.stderr, /no space left/i);
  t.notOk(existsSync(join(folder, '2026-11-15')), 'nothing looks like a whole one');
  disk.enlarge();
  t.equal((await backUp('2026-11-15')).code, 0);
  t.strictSame(readdirSync(folder), ['2026-11-14', '2026-11-15']);
});

// `npm run bench:month-end`: the end of a month with 1,000, 10,000 and 100,000 accounts, by the operator's own command. The
// largest is killed (-9) five times on its way, and then every account has one statement and one invoice, without a gap.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { withConnection } from '@verdict/db/database/with-connection.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { fillMonth } from '../packages/metering/test/support/fill-month.ts';
import { inRoot } from '../scripts/lib/paths.mjs';

const SIZES = (process.env.BENCH_ACCOUNTS ?? '1000,10000,100000').split(',').map(Number);
const KILLS = Number(process.env.BENCH_KILLS ?? 5);
const month = addMonths(monthOf(new Date()), -1);
const say = (text) => process.stderr.write(`${text}\n`);

const sizes = [];
for (const [index, accounts] of SIZES.entries()) {
  sizes.push(await measure(accounts, index === SIZES.length - 1 ? KILLS : 0));
}
const report = {
  machine: { cores: cpus().length, model: cpus()[0]?.model ?? '', node: process.version },
  sizes,
};
writeFileSync(inRoot('bench/results/month-end.json'), `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);

/** Closes and invoices one month. @param {number} accounts @param {number} kills */
async function measure(accounts, kills) {
  const database = await createDatabase();
  const server = await startRedis();
  try {
    say(`${accounts} accounts: storing`);
    await fillMonth(database.url, month, accounts);
    const settings = { DATABASE_URL: database.url, REDIS_URL: server.url };
    const start = performance.now();
    const counts = () => countOf(database.url);
    const killedAt = [];
    // Two documents an account, so the kills are spread over closing and issuing.
    for (let kill = 1; kill <= kills; kill++) {
      const at = Math.round((2 * accounts * kill) / (kills + 1));
      killedAt.push(await runVerdict(settings, async () => documents(await counts()) >= at, counts));
    }
    const { peakBytes } = await runVerdict(settings);
    const seconds = (performance.now() - start) / 1000;
    const { statements, invoices, last } = await counts();
    const invoiced = await invoicedAccounts(database.url);
    if ([statements, invoices, last, invoiced].some((count) => count !== accounts)) {
      throw new Error(
        `${statements} statements, ${invoices} invoices of ${invoiced} accounts up to number ${last}`,
      );
    }
    const peaks = [peakBytes, ...killedAt.map((run) => run.peakBytes)];
    const size = {
      accounts,
      seconds: Math.round(seconds),
      peak_mb: Math.round(Math.max(...peaks) / 1_048_576),
      killed_at: killedAt.map((run) => run.counts),
    };
    say(JSON.stringify(size));
    return size;
  } finally {
    await server.stop();
    await database.drop();
  }
}

/** @param {{ statements: number, invoices: number }} counts */
function documents({ statements, invoices }) {
  return statements + invoices;
}

/** Statements and invoices so far, and the last number. @param {string} url */
function countOf(url) {
  return withConnection(url, async (client) => {
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM statements) AS statements, count(*)::int AS invoices,
         coalesce(max(sequence), 0)::int AS last FROM invoices`,
    );
    return rows[0];
  });
}

/** Accounts with an invoice of the month: one that was billed twice must not make up for one that was left out. @param {string} url */
function invoicedAccounts(url) {
  return withConnection(url, async (client) => {
    const { rows } = await client.query('SELECT count(DISTINCT account_id)::int AS count FROM invoices');
    return rows[0].count;
  });
}

/** Runs `verdict statements close`, to its end or until it is to be killed, and reads its peak memory from Linux. */
async function runVerdict(settings, shouldKill = undefined, counts = undefined) {
  const child = spawn(
    process.execPath,
    [inRoot('dist/services/verdict.js'), 'statements', 'close', '--period', month],
    { env: { ...process.env, ...settings }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  let peakBytes = 0;
  let code = null;
  const ended = new Promise((resolve) =>
    child.once('exit', (exit) => {
      code = exit ?? -1;
      resolve(code);
    }),
  );
  while (code === null) {
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100))]);
    peakBytes = Math.max(peakBytes, peakOf(child.pid));
    if (code === null && shouldKill && (await shouldKill())) {
      child.kill('SIGKILL');
      await ended;
      const at = await counts();
      say(`killed at ${at.statements} statements and ${at.invoices} invoices`);
      return { peakBytes, counts: at };
    }
  }
  if (code !== 0) throw new Error(`statements close ended with ${code}`);
  if (shouldKill) throw new Error('it ended before it could be killed');
  return { peakBytes };
}

/** The most resident memory that a process has had. @param {number | undefined} pid */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

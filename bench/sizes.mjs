import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withConnection } from '@verdict/db/database/with-connection.js';
import { factsColumns } from '@verdict/db/facts/facts-columns.js';
import { writeFactsFile } from '@verdict/db/facts/facts-file.js';
import { readStoredFacts } from '@verdict/db/facts/read-stored-facts.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { Pool } from 'pg';
import { createProgress } from '../scripts/lib/progress.mjs';
import { makeAccounts } from './lib/bench-accounts.mjs';
import { COMPANY_DOMAINS, writeBodies } from './lib/bodies.mjs';
import { sendChecks } from './lib/send-checks.mjs';
import { startBenchStack } from './lib/stack.mjs';
import { writeResults } from './lib/write-results.mjs';

/** `npm run bench:sizes`: what an account and a waiting log take in Redis, and a check in Postgres, by real checks. */
const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 2_000);
const ALONE = Number(process.env.BENCH_ALONE ?? 2_000);
const TOGETHER = Number(process.env.BENCH_TOGETHER ?? 20_000);
const CANARY = 'canary.bench-corp.com';

const progress = createProgress();
const mx = { mx: [[10, 'mail.bench-corp.com']] };
const dns = await startDnsServer(
  Object.fromEntries([CANARY, ...COMPANY_DOMAINS].map((domain) => [domain, mx])),
);
const stack = await startBenchStack({
  name: 'bench-sizes',
  env: { DNS_SERVERS: dns.address, DNS_CANARY: CANARY, LOG_LEVEL: 'warn' },
});
const { worker } = stack.processes;
const redis = connectForQueues({ url: stack.redis_url }, 'bench');
const pool = new Pool({ connectionString: stack.database_url, max: 1 });

try {
  const bodies = writeBodies(stack.dataDir, 10_000);
  const source = { databaseUrl: stack.database_url, directory: stack.dataDir };
  const to = { url: stack.checkUrl, bodies, keys: await makeAccounts(source, 1) };
  await sendChecks({ ...to, connections: 16, count: 500 });
  await drained();

  const account = await progress.step('accounts', async () => {
    const many = await makeAccounts(source, ACCOUNTS);
    const before = await memory();
    await sendChecks({ ...to, keys: many, connections: 16, count: ACCOUNTS });
    await drained();
    return ((await memory()) - before) / ACCOUNTS;
  });
  const alone = await progress.step('logs that wait, one by one', () => waiting(to, 1, ALONE));
  const walBefore = await writtenAhead();
  const together = await progress.step('logs that wait, gathered', () => waiting(to, 64, TOGETHER));
  const wal = (await writtenAhead()) - walBefore;
  const postgres = await progress.step('stored checks', tableSizes);
  const archived = await progress.step('archived checks', () => archiveBytes(stack.dataDir));

  const report = {
    redis_bytes: { account_with_one_key: account, waiting_log_alone: alone, waiting_log_gathered: together },
    postgres_bytes_per_check: { ...postgres, write_ahead_log: wal / TOGETHER },
    archive_bytes_per_check: archived,
  };
  console.log(report);
  writeResults('sizes', report);
} finally {
  process.kill(worker, 'SIGCONT');
  redis.disconnect();
  await pool.end();
  await stack.stop();
  await dns.close();
}

/** With the worker halted: what Redis holds more for each check, its job, its note and all. */
async function waiting(to, connections, count) {
  process.kill(worker, 'SIGSTOP');
  const before = await memory();
  await sendChecks({ ...to, connections, count });
  const bytes = ((await memory()) - before) / count;
  const backlog = await readBacklog(redis, 1);
  process.kill(worker, 'SIGCONT');
  await drained();
  return { bytes, checks_per_job: count / (backlog.waiting + backlog.active) };
}

/** All that Redis has in use, buffers of clients apart: those come and go with connections. */
async function memory() {
  const text = await redis.info('memory');
  const field = (name) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return field('used_memory') - field('mem_clients_normal') - field('mem_aof_buffer');
}

async function drained() {
  for (;;) {
    const { waiting, active, delayed } = await readBacklog(redis, 1);
    if (waiting + active + delayed === 0) return;
    await delay(100);
  }
}

/** Bytes of write-ahead log since the server was made. */
async function writtenAhead() {
  const { rows } = await pool.query(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float AS bytes`);
  return rows[0].bytes;
}

async function tableSizes() {
  await pool.query('VACUUM check_logs, check_subjects');
  const { rows } = await pool.query(
    `SELECT parent.relname AS name, sum(pg_table_size(inhrelid))::float AS heap, sum(pg_indexes_size(inhrelid))::float AS indexes,
       (SELECT count(*) FROM check_logs)::float AS checks
     FROM pg_inherits JOIN pg_class parent ON parent.oid = inhparent
     WHERE parent.relname IN ('check_logs', 'check_subjects') GROUP BY 1`,
  );
  return Object.fromEntries(
    rows.map(({ name, heap, indexes, checks }) => [
      name,
      { heap: heap / checks, indexes: indexes / checks, checks },
    ]),
  );
}

/** Of all checks in one file, as `verdict facts archive` writes them. @param {string} folder */
function archiveBytes(folder) {
  return withConnection(stack.database_url, async (client) => {
    await client.query('BEGIN');
    const columns = await factsColumns(client);
    const file = path.join(folder, 'checks.parquet');
    const { rows } = await writeFactsFile(file, columns, readStoredFacts(client, columns, 'true'));
    await client.query('COMMIT');
    return (await stat(file)).size / rows;
  });
}

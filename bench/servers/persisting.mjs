import { CHECK_PATH } from '@verdict/contracts/api-paths.js';
import { CheckBodySchema, CheckResultSchema } from '@verdict/contracts/check-api.js';
import { connectForQueues, openRedis } from '@verdict/redis-store/connect.js';
import Fastify from 'fastify';
import { Pool } from 'pg';

/**
 * The floor for everything: the durable one, and the two rows of a check in tables with the same indexes, many to a
 * statement. It deduplicates nothing and counts nothing, so less than this "logged, stored" cannot cost.
 */
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
const redis = connectForQueues({ url: process.env.REDIS_URL }, 'persisting');
await openRedis(redis);
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
for (const table of ['check_logs', 'check_subjects']) {
  await pool.query(`DROP TABLE IF EXISTS bench_${table}`);
  await pool.query(`CREATE TABLE bench_${table} (LIKE ${table} INCLUDING ALL)`);
}

const STREAM = 'verdict:bench:persisting';
const ENTRIES_KEPT = 50_000;
const EVERY_MS = 100;
const SIGNALS = { disposable_email: false, mx_valid: true, free_provider: true };
const REASON = 'Free consumer email provider';
let made = 0;
let waiting = [];

app.post(
  CHECK_PATH,
  { schema: { body: CheckBodySchema, response: { 200: CheckResultSchema } } },
  async (request) => {
    const result = {
      success: true,
      id: `log_${String(++made).padStart(26, '0')}`,
      email: request.body.email,
      ip: request.body.ip ?? null,
      decision: 'allow',
      risk_score: 5,
      signals: SIGNALS,
      reasons: [REASON],
      created_at: '2026-11-14T23:59:16.123456+00:00',
    };
    await redis.xadd(STREAM, 'MAXLEN', '~', ENTRIES_KEPT, '*', 'check', JSON.stringify(result));
    waiting.push(result);
    return result;
  },
);

async function persist() {
  const rows = waiting;
  waiting = [];
  if (rows.length === 0) return;
  await pool.query(
    `WITH input AS MATERIALIZED (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS r(id, email, ip, created_at)
     ), logs AS (
       INSERT INTO bench_check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
       SELECT id, 'acc_bench', 'key_bench', 'allow', 5, $5::jsonb, $6::jsonb, 'd', 'req_bench', created_at FROM input
     )
     INSERT INTO bench_check_subjects (id, account_id, email, domain, email_hash, ip, reasons, created_at)
     SELECT id, 'acc_bench', email, split_part(email, '@', 2), encode(sha256(email::bytea), 'hex'), ip, $7::jsonb, created_at
     FROM input`,
    [
      rows.map(({ id }) => id),
      rows.map(({ email }) => email),
      rows.map(({ ip }) => ip),
      rows.map(({ created_at }) => created_at),
      JSON.stringify(SIGNALS),
      JSON.stringify([{ code: 'FREE_PROVIDER', points: 5 }]),
      JSON.stringify([REASON]),
    ],
  );
}

let running = Promise.resolve();
const timer = setInterval(() => {
  running = running.then(persist);
}, EVERY_MS);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
console.log('ready');
process.once('SIGTERM', async () => {
  await app.close();
  clearInterval(timer);
  await running.then(persist);
  for (const table of ['check_logs', 'check_subjects']) await pool.query(`DROP TABLE bench_${table}`);
  await pool.end();
  await redis.del(STREAM);
  redis.disconnect();
});

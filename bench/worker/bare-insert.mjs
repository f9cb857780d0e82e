import { decisionForScore } from '@verdict/domain/decision.js';

const COLUMNS = 10;
const ROWS_PER_STATEMENT = 500;

/**
 * The simplest insert: rows into one table with a primary key, five hundred per INSERT, two connections, no rollups,
 * no second table, no dedupe. Returns seconds.
 * @param {import('pg').Pool} pool @param {object[]} logs
 */
export async function insertBare(pool, logs) {
  await pool.query(`CREATE TABLE IF NOT EXISTS bench_bare (id text PRIMARY KEY, account_id text, key_id text,
    decision text, risk_score smallint, signals jsonb, factors jsonb, datasets text, request_id text,
    created_at timestamptz)`);
  const batches = [];
  for (let at = 0; at < logs.length; at += ROWS_PER_STATEMENT)
    batches.push(logs.slice(at, at + ROWS_PER_STATEMENT));
  const start = process.hrtime.bigint();
  await Promise.all(
    [0, 1].map((lane) =>
      insertLane(
        pool,
        batches.filter((_, index) => index % 2 === lane),
      ),
    ),
  );
  return Number(process.hrtime.bigint() - start) / 1e9;
}

async function insertLane(pool, batches) {
  for (const batch of batches) {
    const values = batch.flatMap((log) => [
      log.id,
      log.account_id,
      log.key_id,
      decisionForScore(log.verdict.risk_score),
      log.verdict.risk_score,
      JSON.stringify(log.verdict.signals),
      JSON.stringify(log.verdict.factors),
      log.verdict.datasets,
      log.request_id,
      log.created_at,
    ]);
    await pool.query(`INSERT INTO bench_bare VALUES ${placeholders(batch.length)}`, values);
  }
}

const placeholders = (rows) =>
  Array.from({ length: rows }, (_, row) => {
    const first = row * COLUMNS + 1;
    return `(${Array.from({ length: COLUMNS }, (_, column) => `$${first + column}`).join(',')})`;
  }).join(',');

import { randomFillSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiKeyHints, createApiKey, hashApiKey } from '@verdict/domain/api-key.js';
import { createIdFactory } from '@verdict/domain/id.js';
import pg from 'pg';

/**
 * Makes accounts with one key each, straight in Postgres; the gateway brings them into Redis as they are first used.
 * @returns {Promise<string>} file with one check per account, each under its own key
 */
export async function makeAccounts(databaseUrl, directory, count) {
  const createId = createIdFactory(Date.now, randomFillSync);
  const accounts = Array.from({ length: count }, () => {
    const key = createApiKey(randomFillSync);
    return { account: createId('acc'), id: createId('key'), key, hash: hashApiKey(key), ...apiKeyHints(key) };
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const json = JSON.stringify(accounts.map(({ key, ...stored }) => stored));
  // In one step: an account that is seen before its key is projected without it.
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO accounts (id, name, plan) SELECT account, 'bench', 'free' FROM jsonb_to_recordset($1) AS r(account text)`,
    [json],
  );
  await client.query(
    `INSERT INTO api_keys (id, account_id, name, prefix, last_four, secret_hash)
     SELECT id, account, 'bench', prefix, "lastFour", hash
     FROM jsonb_to_recordset($1) AS r(id text, account text, prefix text, "lastFour" text, hash text)`,
    [json],
  );
  await client.query('COMMIT');
  await client.end();
  const file = path.join(directory, 'many-accounts.txt');
  const lines = accounts.map(({ key }, i) => `${key}\t${JSON.stringify({ email: `jane${i}@gmail.com` })}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Fills the log with checks of long ago in this month, so that indexes have the size they get in production. */
export async function fillLogs(databaseUrl, count, note) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const BATCH = 500_000;
  for (let done = 0; done < count; done += BATCH) {
    await client.query(
      `WITH made AS (
         SELECT 'log_' || lpad(to_hex(n), 26, '0') AS id, date_trunc('month', now()) + (n % 1000000) * interval '1 second' AS at
         FROM generate_series($1::bigint, $2::bigint) AS n)
       , logs AS (
         INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
         SELECT id, 'acc_old', 'key_old', 'allow', 5, '{}', '[]', '', '', at FROM made ON CONFLICT DO NOTHING)
       INSERT INTO check_subjects (id, account_id, email, domain, email_hash, ip, reasons, created_at)
       SELECT id, 'acc_old', 'old@gmail.com', 'gmail.com', md5(id), NULL, '[]', at FROM made ON CONFLICT DO NOTHING`,
      [done, Math.min(done + BATCH, count) - 1],
    );
    note(`${Math.min(done + BATCH, count).toLocaleString('en')} rows`);
  }
  await client.query('ANALYZE check_logs, check_subjects');
  await client.end();
}

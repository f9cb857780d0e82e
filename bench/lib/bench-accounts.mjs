import { randomFillSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiKeyHints, createApiKey, hashApiKey } from '@verdict/domain/api-key.js';
import { createIdFactory } from '@verdict/domain/id.js';
import pg from 'pg';

/**
 * Makes accounts with one key each, straight in Postgres; the gateway brings them into Redis as they are first used.
 * @returns {Promise<string>} file with their keys
 */
export async function makeAccounts({ databaseUrl, directory }, count) {
  const accounts = Array.from({ length: count }, newAccount);
  await connected(databaseUrl, (client) => insertAccounts(client, accounts));
  return writeKeys(directory, `keys-of-${count}`, accounts);
}

/**
 * Makes one account with a long block list that no check is on.
 * @returns {Promise<string>} file with its key
 */
export async function makeListedAccount({ databaseUrl, directory }, entries) {
  const account = newAccount();
  await connected(databaseUrl, async (client) => {
    await insertAccounts(client, [account]);
    await client.query(
      `INSERT INTO list_entries (id, account_id, list, kind, value)
       SELECT 'lst_' || lpad(n::text, 26, '0'), $1, 'block', 'domain', 'listed-' || n || '.example.org'
       FROM generate_series(1, $2::int) AS n`,
      [account.account, entries],
    );
  });
  return writeKeys(directory, 'key-with-list', [account]);
}

const createId = createIdFactory(Date.now, randomFillSync);

function newAccount() {
  const key = createApiKey(randomFillSync);
  return { account: createId('acc'), id: createId('key'), key, hash: hashApiKey(key), ...apiKeyHints(key) };
}

async function insertAccounts(client, accounts) {
  const json = JSON.stringify(accounts.map(({ key, ...stored }) => stored));
  // In one step: an account that is seen before its key is projected without it.
  await client.query(
    `WITH given AS (
       SELECT * FROM jsonb_to_recordset($1) AS r(account text, id text, prefix text, "lastFour" text, hash text)
     ), made AS (
       INSERT INTO accounts (id, name, plan) SELECT account, 'bench', 'free' FROM given)
     INSERT INTO api_keys (id, account_id, name, prefix, last_four, secret_hash)
     SELECT id, account, 'bench', prefix, "lastFour", hash FROM given`,
    [json],
  );
}

function writeKeys(directory, name, accounts) {
  const file = path.join(directory, `${name}.txt`);
  writeFileSync(file, `${accounts.map(({ key }) => key).join('\n')}\n`);
  return file;
}

async function connected(databaseUrl, work) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Fills the log with checks of long ago in this month, so that indexes have the size they get in production. */
export async function fillLogs(databaseUrl, count, note) {
  const BATCH = 500_000;
  await connected(databaseUrl, async (client) => {
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
  });
}

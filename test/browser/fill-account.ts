import { connectDatabase } from '@verdict/db/database/client.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { parsePlans } from '@verdict/domain/plans.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import type { HttpRequest } from '@verdict/local-stack/http.js';
import type { SeededAccount } from '@verdict/local-stack/stack-view.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';
import { closeMonth } from '@verdict/metering/close-month.js';

const NAMES = 'jane.doe m.okafor li.wei sofia info support noreply kemal+shop anna.k q7x9z2'.split(' ');
const DOMAINS = (
  'gmail.com mailinator.com example.com gmial.com outlook.com guerrillamail.com proton.me yopmail.com ' +
  'acme-industries.example hotmial.com'
).split(' ');

/** Half of what the starter plan allows in one second. */
const BATCH = 100;

/** The plans of the closed months. */
const PLANS = parsePlans({
  free: { checks_per_month: 1_000, checks_per_second: 50, retention_days: 30 },
  starter: { checks_per_month: 25_000, checks_per_second: 200, retention_days: 90, price_month: 1_900 },
});

/** An account with a user and a key, and access to the API and the database behind it. */
export type Account = SeededAccount & Pick<TestStack, 'api' | 'sql' | 'database'>;

/** Calls the API as the user of the account; throws if the call fails. */
export async function actAs<T>(account: Account, path: string, request: HttpRequest): Promise<T> {
  const { api, email, password } = account;
  const login = await api<{ access: string }>('auth/jwt/create/', { json: { email, password } });
  const headers = { authorization: `Bearer ${login.body.access}`, ...request.headers };
  const answer = login.status === 200 ? await api<T>(path, { ...request, headers }) : login;
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body as T;
}

/** Varied checks, made through the API with the key of the account and waited for in Postgres. */
export async function makeChecks(account: Account, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => ({
    email: `${NAMES[(index * 7) % NAMES.length]}${index % 9 === 0 ? index : ''}@${DOMAINS[(index * 3) % DOMAINS.length]}`,
    ip: `203.0.113.${(index * 13) % 250}`,
  }));
  for (let made = 0; made < count; made += BATCH) {
    const json = { items: items.slice(made, made + BATCH) };
    // Retries 429, the rate limit of the plan, and 503, a busy machine.
    const answer = await eventually(async () => {
      const one = await account.api('check/batch/', { json });
      return one.status !== 429 && one.status !== 503 && one;
    });
    if (answer.status !== 200) throw new Error(answer.text);
  }
  await checksStored(account, count);
}

/** Waits until the worker has stored so many checks of a user, and returns how many there are. */
export const checksStored = (
  { sql, email }: Pick<Account, 'sql' | 'email'>,
  atLeast: number,
): Promise<number> =>
  eventually(async () => {
    const stored = 'SELECT count(*)::int AS n FROM check_logs JOIN users USING (account_id) WHERE email = $1';
    const [{ n } = { n: 0 }] = await sql<{ n: number }>(stored, [email]);
    return n >= atLeast && n;
  });

/** Counted checks of the days before today, and two closed months with their invoices: what only time would bring. */
export async function makeHistory({ sql, database, accountId, apiKeyId }: Account): Promise<void> {
  await sql(
    'SELECT ensure_check_partitions((now() - ago * interval $$1 month$$)::date)::text FROM generate_series(0, 2) AS ago',
  );
  await sql(
    `INSERT INTO usage_hourly (account_id, key_id, hour, decision, checks)
     SELECT $1, $2, date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - day * interval '1 day' + interval '9 hours', d.decision,
       greatest(1, round(6 * d.share * (70 + 45 * sin(day * 1.7) + (CASE WHEN day % 7 IN (1, 2) THEN -35 ELSE 20 END))))::bigint
     FROM generate_series(1, 60) AS day,
       (VALUES ('allow', 0.68), ('challenge', 0.12), ('review', 0.07), ('block', 0.13)) AS d (decision, share)`,
    [accountId, apiKeyId],
  );
  await sql(
    `INSERT INTO usage_tags (account_id, tag, day, checks)
     SELECT $1, tag, (now() AT TIME ZONE 'UTC')::date - day, checks
     FROM generate_series(1, 60) AS day, (VALUES ('sign-up form', 2), ('newsletter', 1)) AS t (tag, checks)`,
    [accountId],
  );
  await sql(`UPDATE accounts SET created_at = now() - interval '70 days' WHERE id = $1`, [accountId]);
  await sql(
    `INSERT INTO plan_changes (account_id, to_plan, effective_at, made_at, applied_at, made_by)
     SELECT $1, 'starter', at, at, at, 'database' FROM (SELECT now() - interval '120 days' AS at) AS past`,
    [accountId],
  );
  await sql(
    `INSERT INTO legal_entities (id, name, address, country, number_prefix, is_default)
     VALUES ('verdict', 'Verdict GmbH', 'Hauptstraße 1, 10115 Berlin', 'DE', 'INV-', true) ON CONFLICT DO NOTHING`,
  );
  await sql(
    `INSERT INTO billing_profiles (account_id, address, country, tax_note)
     VALUES ($1, '1 High Street, London', 'GB', 'Reverse charge')`,
    [accountId],
  );
  const db = connectDatabase({ url: database.url, name: 'history' });
  for (const month of [-2, -1].map((back) => addMonths(monthOf(new Date()), back))) {
    await sql('INSERT INTO billing_periods (month) VALUES ($1) ON CONFLICT DO NOTHING', [`${month}-01`]);
    await closeMonth(db, month, PLANS); // unless the worker of the stack was faster
    const [own] = await sql('SELECT 1 FROM statements WHERE month = $1 AND account_id = $2', [
      `${month}-01`,
      accountId,
    ]);
    if (!own)
      throw new Error('these months are closed already; only one account per database can have a history');
  }
  await db.$disconnect();
  await sql('SELECT issue_invoices(current_date)');
}

/** A plan whose rate does not get in the way of filling the account. */
export const choosePlan = (account: Account, plan: string): Promise<unknown> =>
  actAs(account, 'billing/subscription/', { method: 'PUT', json: { plan } });

/** Keys and list entries as an account has them after some months. */
export async function makeKeysAndLists(account: Account): Promise<void> {
  for (const name of ['Newsletter', 'Back office'])
    await actAs(account, 'dashboard/keys/', { json: { name } });
  const allow = [
    { value: 'acme-industries.example', note: 'Own company' },
    { value: 'jane.doe@gmail.com', note: 'Asked by support, ticket 4711' },
    { value: 'partner.example', note: 'Reseller' },
    { value: '203.0.113.7' },
  ];
  const block = [
    { value: 'spam-farm.example', note: 'Sign-up wave in September' },
    { value: '198.51.100.23' },
  ];
  await actAs(account, 'lists/allow/import/', { json: { entries: allow } });
  await actAs(account, 'lists/block/import/', { json: { entries: block } });
}

/** Two versions of rules, the older one live. */
export async function makePolicies(account: Account): Promise<void> {
  const relays = {
    name: 'Relays confirm',
    when: {
      all: [
        { field: 'codes', op: 'has', value: 'RELAY_DOMAIN' },
        { field: 'seen.mailbox', op: 'gte', value: 3 },
      ],
    },
    then: { at_least: 'challenge' },
  };
  const schools = {
    name: 'Our schools',
    when: { all: [{ field: 'domain', op: 'under', value: 'edu.au' }] },
    then: { exactly: 'allow' },
  };
  for (const json of [
    { note: 'Relays confirm', rules: [relays] },
    { note: 'Schools', rules: [relays, schools] },
  ])
    await actAs(account, 'policies/', { json });
  await actAs(account, 'policies/live/', { method: 'PUT', json: { version: 1 } });
}

/** Endpoints that receive the account's events from now on. */
export async function makeWebhooks(account: Account, url: string): Promise<void> {
  for (const description of ['Orders', 'Back office'])
    await actAs(account, 'webhooks/endpoints/', { json: { url, description } });
}

/** A file of addresses, read and ready, or started. Returns its job. */
export async function makeJob(
  account: Account,
  { name, rows, start }: { readonly name: string; readonly rows: number; readonly start: boolean },
): Promise<string> {
  const lines = Array.from(
    { length: rows },
    (_, index) => `Person ${index},person${index}@${DOMAINS[(index * 3) % DOMAINS.length]}`,
  );
  const { job } = await actAs<{ job: { id: string } }>(
    account,
    `jobs/?api_key_id=${account.apiKeyId}&name=${name}`,
    {
      headers: { 'content-type': 'text/csv' },
      body: ['name,email', ...lines, 'Nobody,none', 'Twice,person0@gmail.com'].join('\n'),
    },
  );
  const statusIs = (wanted: string) =>
    eventually(async () => {
      const [row] = await account.sql<{ status: string }>('SELECT status FROM bulk_jobs WHERE id = $1', [
        job.id,
      ]);
      return row?.status === wanted;
    });
  await statusIs('ready');
  if (start) {
    await actAs(account, `jobs/${job.id}/start/`, { method: 'POST' });
    await statusIs('completed');
  }
  return job.id;
}

import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';

const NAMES = [
  'jane.doe',
  'm.okafor',
  'li.wei',
  'sofia',
  'info',
  'support',
  'noreply',
  'kemal+shop',
  'anna.k',
  'q7x9z2',
];
const DOMAINS = [
  'gmail.com',
  'mailinator.com',
  'example.com',
  'gmial.com',
  'outlook.com',
  'guerrillamail.com',
  'proton.me',
  'yopmail.com',
  'acme-industries.example',
  'hotmial.com',
];
const AT_ONCE = 20;

/** The plans of the closed months, as close_billing_month wants them. */
const PRICES = {
  free: { checks: 1000, price_month: 0, price_per_1000_over: 0, overage: 'block', currency: 'EUR' },
  starter: { checks: 25_000, price_month: 1900, price_per_1000_over: 100, overage: 'block', currency: 'EUR' },
};

/** Varied checks, made through the API with the key of the account and waited for in Postgres. */
export async function makeChecks(stack: TestStack, count: number): Promise<void> {
  const one = (index: number) =>
    stack.api('check/', {
      json: {
        email: `${NAMES[(index * 7) % NAMES.length]}${index % 9 === 0 ? index : ''}@${DOMAINS[(index * 3) % DOMAINS.length]}`,
        ip: `203.0.113.${(index * 13) % 250}`,
      },
    });
  for (let made = 0; made < count; made += AT_ONCE) {
    const batch = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - made) }, (_, index) => one(made + index)),
    );
    // A loaded machine may answer 503, which a client asks again.
    made -= batch.filter(({ status }) => status === 503).length;
    const refused = batch.find(({ status }) => status !== 200 && status !== 503);
    if (refused) throw new Error(refused.text);
  }
  await eventually(async () => {
    const [row] = await stack.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM check_logs WHERE account_id = $1',
      [stack.accountId],
    );
    return (row?.n ?? 0) >= count;
  });
}

/** Counted checks of the days before today, and two months that are closed and invoiced: what only time would bring. */
export async function makeHistory(stack: TestStack): Promise<void> {
  await stack.sql(
    `INSERT INTO usage_hourly (account_id, key_id, hour, decision, checks)
     SELECT $1, $2, date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - day * interval '1 day' + interval '9 hours', d.decision,
       greatest(1, round(6 * d.share * (70 + 45 * sin(day * 1.7) + (CASE WHEN day % 7 IN (1, 2) THEN -35 ELSE 20 END))))::bigint
     FROM generate_series(1, 60) AS day,
       (VALUES ('allow', 0.68), ('challenge', 0.12), ('review', 0.07), ('block', 0.13)) AS d (decision, share)`,
    [stack.accountId, stack.apiKeyId],
  );
  await stack.sql(`UPDATE accounts SET created_at = now() - interval '70 days' WHERE id = $1`, [
    stack.accountId,
  ]);
  await stack.sql(
    `INSERT INTO plan_changes (account_id, to_plan, effective_at, made_at, applied_at, made_by)
     SELECT $1, 'starter', at, at, at, 'database' FROM (SELECT now() - interval '120 days' AS at) AS past`,
    [stack.accountId],
  );
  await stack.sql(
    `INSERT INTO legal_entities (id, name, address, number_prefix, is_default)
     VALUES ('verdict', 'Verdict GmbH', 'Hauptstraße 1, 10115 Berlin', 'INV-', true)`,
  );
  for (const back of [2, 1]) {
    const month = `(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '${back} months')::date`;
    await stack.sql(
      `INSERT INTO billing_periods (month, status) VALUES (${month}, 'open') ON CONFLICT DO NOTHING`,
    );
    await stack.sql(`SELECT close_billing_month(${month}, $1::jsonb)`, [JSON.stringify(PRICES)]);
  }
  await stack.sql('SELECT issue_invoices(current_date)');
}

/** A session of the seeded user beside the browser, for what a test prepares or looks up. */
export async function accessOf(stack: TestStack): Promise<string> {
  const { email, password } = stack;
  const answer = await http<{ access: string }>(`${stack.baseUrls[0]}auth/jwt/create/`, {
    json: { email, password },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.access;
}

/** A plan whose rate does not get in the way of filling the account. */
export async function choosePlan(stack: TestStack, plan: string): Promise<void> {
  const headers = { authorization: `Bearer ${await accessOf(stack)}` };
  const answer = await stack.api('billing/subscription/', { method: 'PUT', headers, json: { plan } });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** Keys and list entries as an account has them after some months. */
export async function makeKeysAndLists(stack: TestStack): Promise<void> {
  const headers = { authorization: `Bearer ${await accessOf(stack)}` };
  const post = async (path: string, json: unknown) => {
    const answer = await stack.api(path, { headers, json });
    if (answer.status >= 300) throw new Error(answer.text);
  };
  for (const name of ['Newsletter', 'Back office']) await post('dashboard/keys/', { name });
  await post('lists/allow/import/', {
    entries: [
      { value: 'acme-industries.example', note: 'Own company' },
      { value: 'jane.doe@gmail.com', note: 'Asked by support, ticket 4711' },
      { value: 'partner.example', note: 'Reseller' },
      { value: '203.0.113.7' },
    ],
  });
  await post('lists/block/import/', {
    entries: [{ value: 'spam-farm.example', note: 'Sign-up wave in September' }, { value: '198.51.100.23' }],
  });
}

/** Endpoints that are told of what the account does from now on. */
export async function makeWebhooks(stack: TestStack, url: string): Promise<void> {
  const headers = { authorization: `Bearer ${await accessOf(stack)}` };
  for (const description of ['Orders', 'Back office']) {
    const answer = await stack.api('webhooks/endpoints/', { headers, json: { url, description } });
    if (answer.status >= 300) throw new Error(answer.text);
  }
}

/** A file of addresses, read and ready, or started. Returns its job. */
export async function makeJob(
  stack: TestStack,
  { name, rows, start }: { readonly name: string; readonly rows: number; readonly start: boolean },
): Promise<string> {
  const headers = { authorization: `Bearer ${await accessOf(stack)}` };
  const lines = Array.from(
    { length: rows },
    (_, index) => `Person ${index},person${index}@${DOMAINS[(index * 3) % DOMAINS.length]}`,
  );
  const body = ['name,email', ...lines, 'Nobody,none', 'Twice,person0@gmail.com'].join('\n');
  const made = await stack.api<{ job: { id: string } }>(`jobs/?api_key_id=${stack.apiKeyId}&name=${name}`, {
    headers: { ...headers, 'content-type': 'text/csv' },
    body,
  });
  if (made.status >= 300) throw new Error(made.text);
  const { id } = made.body.job;
  const statusIs = (wanted: string) =>
    eventually(async () => {
      const { body } = await stack.api<{ job: { status: string } }>(`jobs/${id}/`, { headers });
      return body.job.status === wanted;
    });
  await statusIs('ready');
  if (start) {
    const started = await stack.api(`jobs/${id}/start/`, { method: 'POST', headers });
    if (started.status >= 300) throw new Error(started.text);
    await statusIs('completed');
  }
  return id;
}

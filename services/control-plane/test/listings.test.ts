import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import t from 'tap';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

/** Every listing with its widest rows: a page has at most 100 rows and 256 KB, and pages lead to the last row. */
const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const customer = await plane.customer();
const { accountId } = customer;
const key = (await customer.call('POST', '/api/v1/dashboard/keys/', { name: 'Shop' })).body.key as {
  id: string;
};
const operator = await plane.customer();
await stores.db.user.update({ where: { id: operator.userId }, data: { operator: true } });

const ROWS = 130;
/** A page with its names and quotes; rows of jobs hold text that is escaped. */
const PAGE_BYTES_MAX = 320 * 1024;
const WIDE = 'ü'.repeat(2_000);

const fillList = (list: string) => stores.db.$executeRaw`
  INSERT INTO list_entries (id, account_id, list, kind, value, note)
  SELECT new_id('lst'), ${accountId}, ${list}, 'domain', ${list} || n || repeat('x', 200) || '.example', ${WIDE.slice(0, 200)}
  FROM generate_series(1, ${ROWS}) n`;

/** Listings by path: the member that holds the rows, and how to make so many of the widest. */
const LISTINGS: Readonly<Record<string, { readonly member: string; readonly fill: () => Promise<unknown> }>> =
  {
    '/policies/': {
      member: 'policies',
      fill: () => stores.db.$executeRaw`
      INSERT INTO policies (account_id, version, rules)
      SELECT ${accountId}, n, (SELECT jsonb_agg(jsonb_build_object('name', repeat('ü', 80), 'when',
        jsonb_build_object('all', jsonb_build_array(jsonb_build_object('field', 'domain', 'op', 'eq', 'value', repeat('x', 500)))),
        'then', jsonb_build_object('watch', true))) FROM generate_series(1, 45))
      FROM generate_series(1, ${ROWS}) n`,
    },
    '/jobs/': {
      member: 'jobs',
      fill: () => stores.db.$executeRaw`
      INSERT INTO bulk_jobs (id, account_id, key_id, format, status, expires_at, name, layout)
      SELECT new_id('job'), ${accountId}, ${key.id}, 'ndjson', 'canceled', now() + interval '9 days', repeat('n', 100),
        CASE WHEN n % 9 = 0 THEN repeat(' ', 2000000) || '{}'
          ELSE jsonb_build_object('columns', jsonb_build_array(repeat('x', 8000)), 'column', 0)::text END
      FROM generate_series(1, ${ROWS}) n`,
    },
    '/jobs/:id/results/': {
      member: 'results',
      fill: () => stores.db.$executeRaw`
      WITH job AS (SELECT id FROM bulk_jobs WHERE account_id = ${accountId} AND layout LIKE '{%' ORDER BY id LIMIT 1)
      INSERT INTO bulk_rows (job_id, row, cells, error)
      SELECT job.id, n, jsonb_build_array(repeat('x', 8000))::text, 'an email address is missing'
      FROM job, generate_series(1, ${ROWS}) n`,
    },
    '/dashboard/audit/': {
      member: 'events',
      fill: () => stores.db.$executeRaw`
      INSERT INTO audit_events (id, account_id, action, details)
      SELECT new_id('aud'), ${accountId}, 'policies.live', jsonb_build_object('added', repeat('y', 24000))
      FROM generate_series(1, ${ROWS}) n`,
    },
    '/dashboard/logs/': {
      member: 'logs',
      fill: () => stores.db.$executeRaw`
      INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
      SELECT new_id('log'), ${accountId}, ${key.id}, 'allow', 5,
        '{"disposable_email": false, "mx_valid": true, "free_provider": false}',
        (SELECT jsonb_agg(jsonb_build_object('code', 'TEST', 'points', 1, 'reason', repeat('r', 400))) FROM generate_series(1, 12)),
        'd', 'req', now() - make_interval(secs => n) FROM generate_series(1, ${ROWS}) n`,
    },
    '/dashboard/review/': {
      member: 'reviews',
      fill: () => stores.db.$executeRaw`
      WITH wide AS (
        INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
        SELECT new_id('log'), ${accountId}, ${key.id}, 'review', 60, '{}', '[]', 'd', 'req', now() - make_interval(mins => n)
        FROM generate_series(1, ${ROWS}) n RETURNING id, created_at
      ), named AS (
        INSERT INTO check_subjects (id, created_at, account_id, email, domain, email_hash, reasons)
        SELECT id, created_at, ${accountId}, repeat('e', 254), 'wide.example', 'hash', jsonb_build_array(${WIDE}::text) FROM wide
      )
      INSERT INTO reviews (id, account_id, key_id, email_hash, created_at)
      SELECT id, ${accountId}, ${key.id}, 'hash', created_at FROM wide`,
    },
    '/dashboard/revisions/': {
      member: 'revisions',
      fill: () => stores.db.$executeRaw`
      WITH look AS (
        INSERT INTO second_looks (id, changed_at, release, base, status, names, from_at, to_at, cursor_at)
        VALUES ('lok_wide', 'wide', 'r2', 'r1', 'done', '{}', now(), now(), now()) RETURNING id
      )
      INSERT INTO revisions
        (id, look_id, account_id, key_id, checked_at, from_decision, to_decision, risk_score, codes, release)
      SELECT new_id('log'), look.id, ${accountId}, ${key.id}, now(), 'allow', 'block', 90, array_fill(repeat('C', 60), '{40}'), 'r2'
      FROM look, generate_series(1, ${ROWS}) n`,
    },
    '/lists/allow/': { member: 'entries', fill: () => fillList('allow') },
    '/lists/block/': { member: 'entries', fill: () => fillList('block') },
    '/webhooks/deliveries/': {
      member: 'deliveries',
      fill: () => stores.db.$executeRaw`
      WITH endpoint AS (
        INSERT INTO webhook_endpoints (id, account_id, url, events, secret)
        VALUES ('whe_wide', ${accountId}, 'https://example.com/', '{job.completed}', 's') RETURNING id
      ), event AS (
        INSERT INTO webhook_events (id, account_id, type, data)
        SELECT new_id('evt'), ${accountId}, 'job.completed', '{}' FROM generate_series(1, ${ROWS}) RETURNING id
      )
      INSERT INTO webhook_deliveries (id, account_id, event_id, endpoint_id, status, error)
      SELECT new_id('whd'), ${accountId}, event.id, endpoint.id, 'failed', ${WIDE} FROM event, endpoint`,
    },
    '/operator/accounts/': {
      member: 'accounts',
      fill: () => stores.db.$executeRaw`
      INSERT INTO accounts (id, name, plan) SELECT new_id('acc'), repeat('n', 200), 'free' FROM generate_series(1, ${ROWS})`,
    },
  };

/** Of the contract: a new listing is here from the day on which it is written. */
const paged = CONTROL_PLANE_ROUTES.filter(({ replies }) => JSON.stringify(replies).includes('"next_cursor"'));

t.test('every listing of the contract is tried', async (t) => {
  t.same(paged.map(({ path }) => path).sort(), Object.keys(LISTINGS).sort());
});

for (const [path, { member, fill }] of Object.entries(LISTINGS)) {
  t.test(`${path} is bounded by rows and bytes, and its pages lead to the end`, async (t) => {
    await fill();
    const [job] = await stores.db.$queryRaw<{ id: string }[]>`
      SELECT job_id AS id FROM bulk_rows JOIN bulk_jobs j ON j.id = job_id WHERE account_id = ${accountId} LIMIT 1`;
    const url = `/api/v1${path.replace(':id', job?.id ?? '')}`;
    const { call } = path.startsWith('/operator') ? operator : customer;
    let rows = 0;
    for (let cursor = ''; ; ) {
      const { status, body, text } = await call('GET', `${url}?limit=500${cursor}`);
      t.equal(status, 200, text.slice(0, 200));
      t.ok(body[member].length <= 100, `${body[member].length} rows`);
      t.ok(Buffer.byteLength(text) <= PAGE_BYTES_MAX, `${Buffer.byteLength(text)} bytes`);
      rows += body[member].length;
      if (!body.has_more) break;
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    }
    t.ok(rows >= ROWS, `${rows} rows`);
  });
}

t.test('a file whose rows each bring a long name of a column is refused', async (t) => {
  const { api_key } = (await customer.call('POST', '/api/v1/dashboard/keys/', { name: 'Files' })).body;
  const rows = Array.from({ length: 250 }, (_, i) => ({
    email: `p${i}@gmail.com`,
    [`${i}${'x'.repeat(80)}`]: 1,
  }));
  const file = rows.map((row) => JSON.stringify(row)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson', 'x-api-key': api_key };
  t.match(await plane.call('POST', '/api/v1/jobs/', file, headers), {
    status: 400,
    body: { code: 'unreadable_file', error: /names of its columns have more than 8192 characters/ },
  });
});

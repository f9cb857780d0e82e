import { ROW_CHARS_MAX } from '@verdict/contracts/jobs-api.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { residentBytes } from './resident-bytes.js';

/** Pages and downloads of rows as wide as a file may have them, in the memory of a container of 512 MB. */
const MB = 1024 * 1024;
const ROWS = 500;
const AT_ONCE = 8;

const stack = await startStack({
  workers: 0,
  env: { 'control-plane': { NODE_OPTIONS: '--max-old-space-size=256' } },
});
t.teardown(() => stack.stop());
const plane = stack.controlPlane;
const at = (path: string) => `${plane.url}/api/v1/jobs/${path}`;
const headers = { 'x-api-key': stack.apiKey };

interface Page {
  readonly results: readonly { readonly row: number }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const rowOf = (i: number): string => {
  const open = `{"email":"p${i}@gmail.com","pad":"`;
  return `${open}${'漢'.repeat(ROW_CHARS_MAX - open.length - 2)}"}`;
};
const body = `${Array.from({ length: ROWS }, (_, i) => rowOf(i)).join('\n')}\n`;
const sent = await http<{ job: { id: string } }>(at(''), {
  headers: { ...headers, 'content-type': 'application/x-ndjson' },
  body,
});
if (sent.status !== 202) throw new Error(`the file was answered ${sent.status}: ${sent.text}`);
const { id } = sent.body.job;
await eventually(async () => {
  const { job } = (await http<{ job: { status: string } }>(at(`${id}/`), { headers })).body;
  return job.status === 'ready';
});

t.test('pages are cut by weight, and every row is on one', async (t) => {
  const rows: number[] = [];
  let cursor = '';
  do {
    const page = await http<Page>(at(`${id}/results/?limit=500${cursor}`), { headers });
    t.equal(page.status, 200);
    t.ok(page.text.length < 2 * MB, `${page.text.length} characters`);
    rows.push(...page.body.results.map(({ row }) => row));
    t.equal(page.body.has_more, page.body.next_cursor !== null);
    cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
  } while (cursor !== '');
  t.strictSame(
    rows,
    Array.from({ length: ROWS }, (_, i) => i + 1),
  );
});

t.test('many pages and slow downloads at once leave a small control plane alive', async (t) => {
  const before = residentBytes(plane.pid);
  const slow = await Promise.all(
    Array.from({ length: AT_ONCE }, () => fetch(at(`${id}/results.csv`), { headers })),
  );
  for (let round = 0; round < 3; round++) {
    const pages = await Promise.all(
      Array.from({ length: AT_ONCE }, () => http(at(`${id}/results/?limit=500`), { headers })),
    );
    t.ok(pages.every(({ status }) => status === 200));
  }
  const grown = residentBytes(plane.pid) - before;
  t.comment(`${Math.round(grown / MB)} MB more`);
  t.ok(grown < 200 * MB);
  for (const { body: file } of slow) await file?.cancel();
  t.equal((await http(at(`${id}/`), { headers })).status, 200);
});

t.test('twenty listings of the widest jobs and policies leave it alive', async (t) => {
  await stack.sql(
    `INSERT INTO bulk_jobs (id, account_id, key_id, format, status, expires_at, layout)
     SELECT new_id('job'), account_id, key_id, 'ndjson', 'canceled', now() + interval '9 days',
       jsonb_build_object('columns', jsonb_build_array(repeat('x', 2000000)), 'column', 0)::text
     FROM bulk_jobs, generate_series(1, 9) WHERE id = $1`,
    [id],
  );
  await stack.sql(
    `INSERT INTO policies (account_id, version, rules)
     SELECT $1, n, (SELECT jsonb_agg(jsonb_build_object('name', repeat('r', 80), 'when', jsonb_build_object('all',
       jsonb_build_array(jsonb_build_object('field', 'domain', 'op', 'eq', 'value', repeat('x', 500)))),
       'then', jsonb_build_object('watch', true))) FROM generate_series(1, 45))
     FROM generate_series(1, 300) n`,
    [stack.accountId],
  );
  const login = await http<{ access: string }>(`${plane.url}/api/v1/auth/jwt/create/`, {
    json: { email: stack.email, password: stack.password },
  });
  const bearer = { authorization: `Bearer ${login.body.access}` };
  const listings = Array.from({ length: 20 }, (_, i) =>
    i % 2 === 0
      ? http(at('?limit=500'), { headers })
      : http(`${plane.url}/api/v1/policies/?limit=500`, { headers: bearer }),
  );
  for (const { status, text } of await Promise.all(listings)) {
    t.equal(status, 200);
    t.ok(text.length < 400 * 1024, `${text.length} characters`);
  }
  t.equal((await http(at(`${id}/`), { headers })).status, 200);
});

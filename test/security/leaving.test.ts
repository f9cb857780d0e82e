import { withConnection } from '@verdict/db/database/with-connection.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import t from 'tap';
import { request } from 'undici';

/**
 * A client keeps checking with a key while its account is deleted and afterwards; the test looks for traces of the
 * checked people.
 */
const stack = await openStack({ plan: 'ample' });
t.teardown(() => stack.stop());
const [base = '', second = ''] = stack.baseUrls;
const { accountId, apiKey, email, password } = stack;

const login = await http<{ access: string }>(`${base}auth/jwt/create/`, { json: { email, password } });
const headers = { authorization: `Bearer ${login.body.access}` };
const check = (url: string, address: string) =>
  http(`${url}check/`, { json: { email: address }, headers: { 'x-api-key': apiKey } });

t.test('the export streams through the gateway', async (t) => {
  t.equal((await check(base, 'before@subject.example')).status, 200);
  await eventually(
    async () => (await stack.sql('SELECT FROM check_logs WHERE account_id = $1', [accountId])).length === 1,
  );
  const exported = await http(`${base}dashboard/export/`, { headers });
  t.equal(exported.status, 200);
  t.match(exported.headers['content-type'], /ndjson/);
  t.match(exported.text, /"type":"check".*before@subject\.example/);
  t.equal((await http(`${base}dashboard/export/`)).status, 401);

  // Its first lines arrive although the last ones cannot be read yet.
  await withConnection(stack.database.url, async (client) => {
    await client.query('BEGIN');
    await client.query('LOCK TABLE bulk_jobs IN ACCESS EXCLUSIVE MODE');
    const streamed = await request(`${base}dashboard/export/`, { headers });
    const chunks = streamed.body[Symbol.asyncIterator]();
    const first = await chunks.next();
    t.match(String(first.value), /"type":"account"/);
    await client.query('ROLLBACK');
    let rest = '';
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) rest += chunk;
    t.match(`${first.value}${rest}`, /"type":"check".*before@subject\.example/);
  });
});

t.test(
  'once an account is deleted no gateway takes its keys, every granted check is counted, and no address is left',
  async (t) => {
    await http(`${base}lists/block/`, { json: { value: 'listed@subject.example' }, headers });
    const statuses: number[] = [];
    let left = false;
    let after = 0;
    const hammering = [base, second, base, second].map(async (url, i) => {
      for (let n = 0; after < 40; n++) {
        const begun = left;
        const { status } = await check(url, `during-${i}-${n}@subject.example`);
        statuses.push(status);
        if (!begun) continue;
        after++;
        t.ok(status === 401 || status === 403, `after the deletion: ${status}`);
      }
    });
    await eventually(() => statuses.filter((status) => status === 200).length > 20);
    const deleted = await http(`${base}auth/users/me/`, {
      method: 'DELETE',
      json: { current_password: password },
      headers,
    });
    t.equal(deleted.status, 200);
    left = true;
    await Promise.all(hammering);
    t.strictSame(
      statuses.filter((status) => ![200, 401, 403].includes(status)),
      [],
      'nobody saw anything else',
    );
    const granted = statuses.filter((status) => status === 200).length + 1;
    const facts = async () =>
      (
        await stack.sql<{ logs: number; used: number; subjects: number }>(
          `SELECT (SELECT count(*) FROM check_logs WHERE account_id = $1)::int AS logs,
                (SELECT sum(checks) FROM usage_hourly WHERE account_id = $1)::int AS used,
                (SELECT count(*) FROM check_subjects WHERE account_id = $1)::int AS subjects`,
          [accountId],
        )
      )[0];
    await eventually(async () => (await facts())?.logs === granted);
    t.strictSame(await facts(), { logs: granted, used: granted, subjects: 0 });
    const everything = await stack.sql<{ text: string }>(
      `SELECT (SELECT jsonb_agg(a)::text FROM audit_events a WHERE account_id = $1) ||
              coalesce((SELECT jsonb_agg(l)::text FROM list_entries l WHERE account_id = $1), '') AS text`,
      [accountId],
    );
    t.notMatch(everything[0]?.text, /subject\.example|127\.0\.0\.1/);
    t.equal((await http(`${base}auth/jwt/create/`, { json: { email, password } })).status, 401);
  },
);

import type { CheckRow } from '@verdict/db/checks/check-row.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { TAGS_PER_MONTH_MAX } from '@verdict/domain/check-tag.js';
import { dayOf, monthOf } from '@verdict/domain/month.js';
import t from 'tap';
import { rowOf } from './support/check-rows.js';
import { type Customer, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const { db } = stores;

const KEY = 'key_00000000000000000000000000';
/** Of one moment, so that midnight does not part them. */
const at = `${monthOf(new Date())}-01T00:00:00.000001+00:00`;
const checks = (accountId: string, tags: readonly (string | null)[]): CheckRow[] =>
  tags.map((tag) => ({ ...rowOf(accountId, KEY), created_at: at, tag }));
const tagsOf = async ({ call }: Customer, query = '') =>
  (await call('GET', `/api/v1/dashboard/usage/tags/${query}`)).body;
const many = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => `${prefix}-${String(i).padStart(3, '0')}`);

t.test('logs show, find and export the tag of a check', async (t) => {
  const { accountId, call } = await plane.customer();
  const [tagged, plain] = checks(accountId, ['sign-up', null]);
  await persistChecks(db, checks(accountId, ['news letter: May']));
  await persistChecks(db, [tagged, plain] as CheckRow[]);
  const logs = async (query: string) => (await call('GET', `/api/v1/dashboard/logs/${query}`)).body.logs;
  const tags = (found: { tag: string | null }[]) => found.map(({ tag }) => tag).sort();
  t.same(tags(await logs('')), ['news letter: May', 'sign-up', null].sort());
  t.match(await logs('?tag=sign-up'), [{ id: tagged?.id, tag: 'sign-up' }]);
  t.same(tags(await logs(`?tag=${encodeURIComponent('news letter: May')}`)), ['news letter: May']);
  t.same(await logs('?tag=sign'), [], 'the whole tag');
  t.equal((await call('GET', '/api/v1/dashboard/logs/?tag=a%40b.example')).status, 400);
  const detail = await call('GET', `/api/v1/dashboard/logs/${plain?.id}/`);
  t.equal(detail.body.log.tag, null);
  const [head = '', line = ''] = (await call('GET', '/api/v1/dashboard/logs.csv?tag=sign-up')).text.split(
    '\r\n',
  );
  t.match(head, /,tag$/);
  t.match(line, /,sign-up$/);
  const grouped = await call('GET', '/api/v1/dashboard/checks/groups/?by=domain&tag=sign-up');
  t.match(grouped.body.groups, [{ value: 'example.org', allow: 1 }]);
});

t.test(
  'usage by tag adds up to the total, checks without a tag included, however often a job comes',
  async (t) => {
    const customer = await plane.customer();
    const { accountId, call } = customer;
    const rows = checks(accountId, ['a', 'a', 'a', 'b', null, null]);
    await Promise.all([
      persistChecks(db, rows),
      persistChecks(db, rows.slice(1, 5)),
      persistChecks(db, rows),
    ]);
    await persistChecks(db, checks(accountId, [null, null]));
    const day = dayOf(new Date(at));
    t.match(await tagsOf(customer), {
      from: day,
      total: 8,
      tags: [
        { tag: 'a', checks: 3 },
        { tag: 'b', checks: 1 },
      ],
      other: 0,
      untagged: 4,
    });
    t.match(await tagsOf(customer, '?from=2020-01-01&to=2020-01-31'), { total: 0, tags: [], untagged: 0 });
    t.match(await tagsOf(await plane.customer()), { total: 0, tags: [] }, 'nothing of another account');
    t.same((await call('GET', '/api/v1/dashboard/usage/tags.csv')).text.trim().split('\r\n'), [
      'tag,checks,kind',
      'a,3,tag',
      'b,1,tag',
      ',0,other',
      ',4,untagged',
    ]);
  },
);

t.test('tags of a month beyond the bound are counted together, and nothing is lost', async (t) => {
  const customer = await plane.customer();
  const { accountId } = customer;
  await persistChecks(db, checks(accountId, many(TAGS_PER_MONTH_MAX - 10, 'first')));
  await persistChecks(db, checks(accountId, [...many(30, 'later'), 'first-000', null]));
  await persistChecks(db, checks(accountId, [...many(30, 'later'), 'latest']));
  const stored = await db.usageTag.count({ where: { accountId, tag: { not: '' } } });
  t.equal(stored, TAGS_PER_MONTH_MAX);
  const { tags, other, untagged, total } = await tagsOf(customer);
  t.equal(tags.length, TAGS_PER_MONTH_MAX);
  t.match(tags[0], { tag: 'first-000', checks: 2 }, 'a tag of before keeps its name');
  t.same({ other, untagged, total }, { other: 41, untagged: 1, total: 153 });
  const named = tags.reduce((sum: number, one: { checks: number }) => sum + one.checks, 0);
  t.equal(named + other + untagged, total);
});

const rebuild = () => db.$executeRaw`SELECT rebuild_usage(${at.slice(0, 10)}::date)`;

t.test('rebuilding a month counts its tags anew', async (t) => {
  const customer = await plane.customer();
  const { accountId } = customer;
  await persistChecks(db, checks(accountId, ['a', 'a', 'b', null]));
  const before = await tagsOf(customer);
  await db.$executeRaw`DELETE FROM usage_hourly WHERE account_id = ${accountId}`;
  await db.$executeRaw`UPDATE usage_tags SET checks = 9 WHERE account_id = ${accountId}`;
  await rebuild();
  t.same(await tagsOf(customer), before);
  await db.$executeRaw`
    INSERT INTO check_logs SELECT (jsonb_populate_record(l, jsonb_build_object('id', l.id || n, 'tag', 'bulk ' || n))).*
    FROM check_logs l, generate_series(1, 120) n WHERE l.account_id = ${accountId} AND l.tag = 'b'`;
  await rebuild();
  t.match(await tagsOf(customer), { total: 124, untagged: 1, other: 22, tags: [{ tag: 'a', checks: 2 }] });
});

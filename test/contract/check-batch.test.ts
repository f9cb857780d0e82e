import { BATCH_ITEMS_MAX } from '@verdict/contracts/check-batch-api.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import t from 'tap';
import { type Answered, storedAsAnswered } from '../harness/beside-rows.js';
import { CHECK_RESULT, LIMIT_BODY } from './spec.js';

const stack = await openStack({ plan: 'ample' });
const dns = await startDnsServer({});
const silent = dns.nameOf('silent');
dns.zone[silent] = { behaviour: 'silent' };
t.teardown(async () => {
  await stack.stop();
  await dns.close();
});
const [base = ''] = stack.baseUrls;

type Item = {
  ref: string | null;
  check?: Record<string, unknown>;
  error?: string;
  code?: string;
  errors?: object[];
};
type Reply = { success: boolean; results: Item[]; error: string; code: string; errors: { field: string }[] };

const batch = (json: unknown, headers: Record<string, string> = {}, query = '') =>
  stack.api<Reply>(`check/batch/${query}`, { json, headers });
const addresses = (count: number, name = 'person') =>
  Array.from({ length: count }, (_, i) => ({ email: `${name}-${i}@gmail.com` }));
const usedBy = async (apiKey: string) =>
  (await http<{ checks_used: number }>(`${base}usage/`, { headers: { 'x-api-key': apiKey } })).body
    .checks_used;
const used = () => usedBy(stack.apiKey);

t.test('every item has a result in its place: a whole check, or what is wrong with it', async (t) => {
  const before = await used();
  const items = [
    { email: 'test@mailinator.com', ip: '203.0.113.7', ref: 'row 1' },
    { email: 'no address', ref: 'row 2' },
    { email: 'jane@gmail.com' },
    { email: 'jane@gmail.com', ip: 'nowhere', ref: 'row 4' },
    { ref: 'row 5' },
    { email: 6 },
  ];
  const { status, body, headers } = await batch({ items });
  t.equal(status, 200);
  t.equal(body.success, true);
  t.strictSame(
    body.results.map(({ ref }) => ref),
    ['row 1', 'row 2', null, 'row 4', 'row 5', null],
  );
  const [first, second, third, fourth, fifth, sixth] = body.results;
  t.strictSame(Object.keys(first?.check ?? {}).sort(), Object.keys(CHECK_RESULT).sort());
  t.match(first?.check, {
    email: 'test@mailinator.com',
    ip: '203.0.113.7',
    decision: 'block',
    success: true,
  });
  t.match(third?.check, { email: 'jane@gmail.com', ip: null });
  for (const [item, field] of [
    [second, 'email'],
    [fourth, 'ip'],
    [fifth, 'email'],
    [sixth, 'email'],
  ] as const) {
    t.match(item, { code: 'invalid_request', error: new RegExp(`^${field}: `), errors: [{ field }] });
    t.notOk(item?.check);
  }
  t.equal(await used(), before + 2, 'malformed items do not count');
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'x-quota-limit', 'x-quota-remaining'])
    t.match(headers[name], /^\d+$/, name);
});

t.test('the largest batch is answered whole, and every check of it is stored once', async (t) => {
  const { status, body } = await batch({ items: addresses(BATCH_ITEMS_MAX, 'large') });
  t.equal(status, 200);
  const checks = body.results.map(({ check }) => check as unknown as Answered & { id: string });
  t.equal(new Set(checks.map(({ id }) => id)).size, BATCH_ITEMS_MAX);
  t.strictSame(await storedAsAnswered(stack.sql, checks), []);
});

t.test('expansions apply to every check of the batch', async (t) => {
  const { body } = await batch({ items: addresses(2, 'expanded') }, {}, '?expand=signals,breakdown');
  for (const { check } of body.results)
    t.match(check, { signals: { role_account: false }, breakdown: { factors: [] } });
});

t.test('a batch that is no batch is a 400 that says why, and counts nothing', async (t) => {
  const before = await used();
  for (const [json, field] of [
    [{ items: [] }, 'items'],
    [{}, 'items'],
    [{ items: addresses(BATCH_ITEMS_MAX + 1) }, 'items'],
    [{ items: [{ email: 'a@gmail.com', name: 'A' }] }, 'items.0.name'],
    [{ items: addresses(1), emails: [] }, 'emails'],
    [{ items: [{ email: 'a@gmail.com', ref: 7 }] }, 'items.0.ref'],
    [{ items: 'a@gmail.com' }, 'items'],
  ] as const) {
    const { status, body } = await batch(json);
    t.equal(status, 400, JSON.stringify(json).slice(0, 60));
    t.match(body, { code: 'invalid_request', errors: [{ field }] });
  }
  t.equal((await batch({ items: addresses(1) }, {}, '?expand=everything')).status, 400);
  t.equal(await used(), before);
});

t.test('more than one second of the rate can never pass, and is told so', async (t) => {
  const { apiKey } = await stack.createAccount('five');
  const refused = await batch({ items: addresses(6) }, { 'x-api-key': apiKey });
  t.equal(refused.status, 400);
  t.match(refused.body, {
    error: 'items: has more than the 5 checks a second of your plan',
    errors: [{ field: 'items' }],
  });
  let granted = 0;
  // A machine that takes a second from one to the next gives the rate time to come back: it is asked again.
  const tooFast = await eventually(async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => batch({ items: addresses(5) }, { 'x-api-key': apiKey })),
    );
    granted += answers.filter(({ status }) => status === 200).length;
    return answers.find(({ status }) => status === 429);
  });
  t.ok(granted > 0, 'a second of the rate is granted at once');
  t.match(tooFast.body, { code: 'rate_limited', checks_limit: 1_000 });
  t.equal(tooFast.headers['retry-after'], '1');
  t.equal(await usedBy(apiKey), 5 * granted, 'what was too fast is not counted');
});

t.test(
  'a quota that is too short for the batch is a 429 with the four fields, and nothing is counted',
  async (t) => {
    const { apiKey } = await stack.createAccount('three');
    const headers = { 'x-api-key': apiKey };
    const refused = await batch({ items: addresses(4) }, headers);
    t.equal(refused.status, 429);
    for (const field of Object.keys(LIMIT_BODY)) t.ok(field in refused.body, field);
    t.match(refused.body, { code: 'quota_exceeded', checks_used: 0, checks_limit: 3 });
    t.equal(await usedBy(apiKey), 0);
    // A malformed item needs no quota.
    const fits = await batch({ items: [...addresses(3), { email: 'nonsense' }] }, headers);
    t.equal(fits.status, 200);
    t.equal(fits.headers['x-quota-remaining'], '0');
    t.match((await batch({ items: addresses(1) }, headers)).body, { checks_used: 3, checks_limit: 3 });
    t.equal((await batch({ items: [{ email: 'nonsense' }] }, headers)).status, 200, 'nothing to count');
    t.equal(await usedBy(apiKey), 3);
  },
);

t.test('one Idempotency-Key replays the whole answer byte for byte, and counts once', async (t) => {
  const before = await used();
  const headers = { 'idempotency-key': `batch-${Date.now()}` };
  const json = {
    items: [...addresses(3, 'again'), { email: 'nonsense', ref: 'x' }, { email: 'a@mailinator.com' }],
  };
  const first = await batch(json, headers, '?expand=signals,breakdown');
  const second = await batch(json, headers, '?expand=signals,breakdown');
  t.equal(first.status, 200);
  t.equal(second.text, first.text);
  t.equal(first.headers['idempotent-replayed'], undefined);
  t.equal(second.headers['idempotent-replayed'], 'true');
  t.equal(await used(), before + 4);
  const other = await batch({ items: addresses(1) }, headers);
  t.equal(other.status, 400);
  t.equal(other.body.code, 'idempotency_mismatch');
});

t.test('both ways to authenticate work, and credentials are judged before the body', async (t) => {
  const { access } = (
    await http<{ access: string }>(`${base}auth/jwt/create/`, {
      json: { email: stack.email, password: stack.password },
    })
  ).body;
  const byToken = (json: object) =>
    http<Reply>(`${base}check/batch/`, { json, headers: { authorization: `Bearer ${access}` } });
  t.equal((await byToken({ items: addresses(2), api_key_id: stack.apiKeyId })).status, 200);
  t.match((await byToken({ items: addresses(2) })).body, { errors: [{ field: 'api_key_id' }] });
  t.equal((await http(`${base}check/batch/`, { json: { nonsense: true } })).status, 401);
  t.equal((await http(`${base}check/batch/`, { method: 'GET' })).status, 405);
});

t.test('one silent domain costs its own check the look-up, and the others nothing', async (t) => {
  const items = [...addresses(20, 'beside'), { email: `jane@${silent}` }];
  const { status, body } = await batch({ items }, {}, '?expand=signals');
  t.equal(status, 200);
  t.match(body.results.at(-1)?.check, { signals: { mx_unknown: true } });
  t.equal(body.results.filter(({ check }) => check).length, items.length);
  t.equal(dns.queries.filter((query) => query === `MX ${silent}`).length > 0, true);
});

import { setTimeout as delay } from 'node:timers/promises';
import { http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import { startService } from '@verdict/local-stack/start-service.js';
import t from 'tap';
import { persistedChecks } from '../harness/persisted-checks.js';

/** A leaked key does only what its limits allow, on every gateway, however many use it concurrently. */
const QUOTA = 150;
const stack = await openStack({ plan: 'ample' });
// A gateway without other requests, because a refusal must leave its figures unchanged.
const own = await startService('gateway', stack.environments.gateway);
t.teardown(async () => {
  await own.stop();
  await stack.stop();
});

interface Body {
  readonly id: string;
  readonly code: string;
  readonly checks_used: number;
  readonly checks_limit: number;
  readonly upgrade_url: string;
  readonly results: { readonly check: { readonly id: string } }[];
  readonly key: { readonly id: string; readonly checks_used: number; readonly checks_limit: number };
  readonly api_key: string;
  readonly access: string;
}

const at = (gateway: number, path: string) =>
  `${gateway === 0 ? stack.baseUrls[0] : `${own.url}/api/v1/`}${path}`;
const { email, password } = stack;
const { access } = (await http<Body>(at(0, 'auth/jwt/create/'), { json: { email, password } })).body;
const bearer = { authorization: `Bearer ${access}` };
const createKey = async (terms: object) => {
  const made = await http<Body>(at(0, 'dashboard/keys/'), {
    headers: bearer,
    json: { name: 'held', ...terms },
  });
  t.equal(made.status, 201, made.text);
  const { api_key: value, key } = made.body;
  const headers = (address?: string): Record<string, string> => ({
    'x-api-key': value,
    ...(address === undefined ? {} : { 'x-forwarded-for': address }),
  });
  return {
    id: key.id,
    check: (gateway: number, address?: string) =>
      http<Body>(at(gateway, 'check/'), { headers: headers(address), json: { email: 'a@gmail.com' } }),
    batch: (gateway: number, count: number) =>
      http<Body>(at(gateway, 'check/batch/'), {
        headers: headers(),
        json: { items: Array.from({ length: count }, (_, i) => ({ email: `b${i}@gmail.com` })) },
      }),
    get: (gateway: number, path: string, address?: string) =>
      http<Body>(at(gateway, path), { headers: headers(address) }),
    change: (patch: object) =>
      http(at(1, `dashboard/keys/${key.id}/`), { method: 'PATCH', headers: bearer, json: patch }),
    revoke: () => http(at(1, `dashboard/keys/${key.id}/`), { method: 'DELETE', headers: bearer }),
  };
};
const scored = async () => {
  const { text } = await http(`${own.internalUrl}/metrics`);
  return Number(/^verdict_batch_size_sum\{[^}]*stage="scoring"[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0);
};

t.test('of singles and batches on two gateways exactly the quota of the key passes', async (t) => {
  const key = await createKey({ monthly_quota: QUOTA });
  const accepted: string[] = [];
  const refused: Body[] = [];
  const ask = async (i: number) => {
    const answer = i % 4 === 0 ? await key.batch(i % 2, 5) : await key.check(i % 2);
    if (answer.status === 200) {
      for (const { check } of answer.body.results ?? [{ check: answer.body }]) accepted.push(check.id);
    } else {
      t.equal(answer.status, 429, answer.text);
      t.ok(Number(answer.headers['retry-after']) > 0);
      refused.push(answer.body);
    }
  };
  for (let round = 0; round < 6; round++) {
    await Promise.all(Array.from({ length: 40 }, (_, i) => ask(round * 40 + i)));
  }
  // A batch that does not fit is refused whole: singles take what is left.
  for (let i = 0; accepted.length < QUOTA; i++) await ask(4 * i + 1);
  t.equal(accepted.length, QUOTA);
  t.equal(new Set(accepted).size, QUOTA);
  for (const body of refused) {
    t.match(body, { code: 'key_quota_exceeded', checks_limit: QUOTA, upgrade_url: /^\/api\/v1\/billing\// });
    t.ok(body.checks_used <= QUOTA);
  }
  for (const gateway of [0, 1]) {
    t.match((await key.check(gateway)).body, { code: 'key_quota_exceeded', checks_used: QUOTA });
    t.match(await key.get(gateway, 'status/'), { status: 429, body: { code: 'key_quota_exceeded' } });
    t.match((await key.get(gateway, 'usage/')).body, {
      checks_limit: 100_000,
      key: { checks_used: QUOTA, checks_limit: QUOTA, checks_remaining: 0 },
    });
  }
  const before = await scored();
  const flood = await Promise.all(Array.from({ length: 60 }, () => key.check(1)));
  t.ok(flood.every(({ status }) => status === 429));
  t.equal(await scored(), before, 'a used-up key costs no scoring');
  t.equal(
    (await stack.api('check/', { json: { email: 'a@gmail.com' } })).status,
    200,
    'the account has more',
  );

  await key.change({ monthly_quota: QUOTA + 1 });
  const more = await Promise.all(Array.from({ length: 20 }, (_, i) => key.check(i % 2)));
  t.equal(more.filter(({ status }) => status === 200).length, 1, 'one more is one more, at once');
  const found = await persistedChecks(stack.sql, stack.accountId, accepted);
  t.strictSame({ ...found }, { rows: QUOTA + 2, rollup: QUOTA + 2, lost: [] });
  await key.revoke();
});

t.test('a stolen value is worth nothing outside of its networks', async (t) => {
  const key = await createKey({ allowed_ips: ['203.0.113.0/24', '2001:db8::/48'] });
  const good = ['203.0.113.9', '2001:db8:0:1::5'];
  const bad = ['203.0.114.9', '2001:db8:1::5', '10.0.0.1'];
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const list = i % 2 ? good : bad;
      const address = list[i % list.length] ?? '';
      return { address, answer: await key.check(Math.floor(i / 2) % 2, address) };
    }),
  );
  for (const { address, answer } of answers) {
    if (good.includes(address)) t.equal(answer.status, 200, address);
    else t.match(answer, { status: 403, body: { code: 'address_not_allowed' } }, address);
  }
  for (const path of ['status/', 'usage/']) {
    t.equal((await key.get(0, path, good[0])).status, 200);
    t.match(await key.get(1, path, bad[0]), { status: 403, body: { code: 'address_not_allowed' } });
  }
  const before = await scored();
  await Promise.all(Array.from({ length: 30 }, () => key.check(1, bad[0])));
  t.equal(await scored(), before, 'and costs no scoring');
  const playground = await http<Body>(at(0, 'check/'), {
    headers: { ...bearer, 'x-forwarded-for': bad[0] ?? '' },
    json: { email: 'a@gmail.com', api_key_id: key.id },
  });
  t.equal(playground.status, 200, 'who may change the list is not held to it');
  await key.change({ allowed_ips: ['10.0.0.1'] });
  for (const gateway of [0, 1]) {
    t.equal((await key.check(gateway, good[0])).status, 403, 'from the next request on');
    t.equal((await key.check(gateway, '10.0.0.1')).status, 200);
  }
  await key.revoke();
});

t.test('a key does only what it is meant for, and nothing after its end', async (t) => {
  const reader = await createKey({ scopes: ['usage'] });
  for (const gateway of [0, 1]) {
    t.match(await reader.check(gateway), { status: 403, body: { code: 'scope_missing' } });
    t.match(await reader.batch(gateway, 2), { status: 403, body: { code: 'scope_missing' } });
    t.equal((await reader.get(gateway, 'usage/')).status, 200);
    t.equal((await reader.get(gateway, 'status/')).status, 200);
  }
  await reader.change({ scopes: ['check'] });
  t.equal((await reader.check(0)).status, 200);
  t.match(await reader.get(1, 'usage/'), { status: 403, body: { code: 'scope_missing' } });
  await reader.revoke();

  const endsAt = Date.now() + 10_000;
  const key = await createKey({ expires_at: new Date(endsAt).toISOString() });
  let answer = await key.check(0);
  while (answer.status === 200) {
    await delay(100);
    answer = await key.check(1);
  }
  t.ok(Date.now() >= endsAt, 'not before');
  for (const gateway of [0, 1]) {
    t.match(await key.check(gateway), { status: 403, body: { code: 'key_expired' } });
    t.match(await key.get(gateway, 'status/'), { status: 403, body: { code: 'key_expired' } });
  }
  t.equal((await key.change({ expires_at: null })).status, 200);
  t.equal((await key.check(1)).status, 200);
  await key.revoke();
});

import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import pg from 'pg';
import t from 'tap';

/** Searches that never come to an end, as those of a very large account do: the table that they read is locked. */
const SEARCHERS = 40;
const REFUSED_PAUSE_MS = 100;

const stack = await startStack({
  workers: 0,
  env: { gateway: { REQUESTS_PER_MINUTE: 1_000_000, TRUST_PROXY: 'loopback' } },
});
/** Requests of one address wait for each other. */
const ELSEWHERE = { 'x-forwarded-for': '192.0.2.7' };
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;

interface Body {
  readonly access: string;
  readonly key: { readonly id: string };
}

async function logIn({ email, password }: { email: string; password: string }, from = {}) {
  const request = { json: { email, password }, headers: from };
  const { status, body } = await http<Body>(`${base}auth/jwt/create/`, request);
  return { status, headers: { ...from, authorization: `Bearer ${body.access}` } };
}

t.test('while one account searches, others log in, read and revoke', async (t) => {
  const attacker = await logIn(stack);
  const neighbour = await stack.createAccount('free');
  const { headers } = await logIn(neighbour, ELSEWHERE);
  const lock = new pg.Client({ connectionString: stack.database.url });
  await lock.connect();
  t.teardown(() => lock.end());
  await lock.query('BEGIN');
  await lock.query('LOCK TABLE check_subjects IN ACCESS EXCLUSIVE MODE');

  let isOver = false;
  let refused = 0;
  const searching = Array.from({ length: SEARCHERS }, async () => {
    while (!isOver) {
      const path = `${base}lists/block/impact/?value=nowhere.test`;
      const { status } = await http(path, { headers: attacker.headers });
      if (status === 200) continue;
      refused += 1;
      // Soon enough to take every place that is free; without a pause the test would measure the processor.
      await delay(REFUSED_PAUSE_MS);
    }
  });
  await eventually(() => refused > 0);
  const began = performance.now();
  t.equal((await http(`${base}auth/users/me/`, { headers })).status, 200);
  t.equal((await logIn(neighbour, ELSEWHERE)).status, 200);
  const made = await http<Body>(`${base}dashboard/keys/`, { headers, json: { name: 'new' } });
  t.equal(made.status, 201);
  const revoked = await http(`${base}dashboard/keys/${made.body.key.id}/`, { method: 'DELETE', headers });
  t.equal(revoked.status, 200);
  const checked = await http(`${base}check/`, {
    headers,
    json: { email: 'jane@gmail.com', api_key_id: neighbour.apiKeyId },
  });
  t.equal(checked.status, 200);
  t.comment(`all of it in ${Math.round(performance.now() - began)} ms`);
  isOver = true;
  await lock.query('ROLLBACK');
  await Promise.all(searching);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { scanKeys } from '@verdict/redis-store/scan-keys.js';
import { Verdict, type VerdictError } from '@verdict/sdk';
import t from 'tap';

/**
 * One account tries to fill the Redis of all: with idempotency records, list entries, and keys created and revoked in
 * a loop. Each has a cap, and only that account is refused.
 */
const REMEMBERED = 120;
const ENTRIES = 40;
const KEYS_EVER = 12;
const PLAN = {
  checks_per_month: 100_000,
  checks_per_second: 5_000,
  retention_days: 30,
  list_entries: ENTRIES,
  keys_ever: KEYS_EVER,
  remembered_per_day: REMEMBERED,
};
const plansFile = join(t.testdir(), 'plans.json');
await writeFile(plansFile, JSON.stringify({ free: PLAN }));
const stack = await startStack({ gateways: 2, workers: 0, env: { all: { PLANS_FILE: plansFile } } });
t.teardown(() => stack.stop());
const redis = connectForRequests({ url: stack.redis.url, timeoutMs: 20_000 }, 'test');
await redis.connect();
t.teardown(() => redis.disconnect());

interface Body {
  readonly id: string;
  readonly code: string;
  readonly error: string;
  readonly access: string;
  readonly api_key: string;
  readonly key: { readonly id: string };
  readonly entries_max: number;
  readonly total: number;
  readonly checks_used: number;
}

const at = (gateway: number, path: string) => `${stack.baseUrls[gateway]}${path}`;
const countKeys = async (pattern: string) => {
  const found = new Set<string>();
  for await (const keys of scanKeys(redis, pattern)) for (const key of keys) found.add(key);
  return found.size;
};

async function customer(name: string) {
  const login = { email: `${name}@example.com`, password: 'vivid-otter-harbour-9' };
  await http(at(0, 'auth/users/'), { json: login });
  const { access } = (await http<Body>(at(0, 'auth/jwt/create/'), { json: login })).body;
  const headers = { authorization: `Bearer ${access}` };
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown) =>
    http<Body>(at(1, path), { method, headers, ...(json === undefined ? {} : { json }) });
  const { api_key: apiKey, key } = (await call('POST', 'dashboard/keys/', { name: 'first' })).body;
  return {
    call,
    key,
    apiKey,
    check: (i: number, once?: string) =>
      http<Body>(at(i % 2, 'check/'), {
        headers: { 'x-api-key': apiKey, ...(once ? { 'idempotency-key': once } : {}) },
        json: { email: `p${i}@gmail.com` },
      }),
    batch: (count: number, once: string) =>
      http<Body>(at(0, 'check/batch/'), {
        headers: { 'x-api-key': apiKey, 'idempotency-key': once },
        json: { items: Array.from({ length: count }, (_, i) => ({ email: `b${i}@gmail.com` })) },
      }),
  };
}

/** A starved machine may answer 503; the same Idempotency-Key may be retried until it gets another answer. */
async function answered<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
  }
}

const attacker = await customer('attacker');
const neighbour = await customer('neighbour');

t.test('answers are remembered up to the day’s end of the plan, exactly, over two gateways', async (t) => {
  t.equal(
    (await answered(() => attacker.batch(20, 'a-batch'))).status,
    200,
    'the checks of a batch count one by one',
  );
  const answers: Awaited<ReturnType<typeof attacker.check>>[] = [];
  for (let i = 0; i < 3 * REMEMBERED; i += 30) {
    const round = Array.from({ length: 30 }, (_, j) =>
      answered(() => attacker.check(i + j, `once-${i + j}`)),
    );
    answers.push(...(await Promise.all(round)));
  }
  t.equal(answers.filter(({ status }) => status === 200).length, REMEMBERED - 20);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const { status, body, headers } of refused) {
    t.match({ status, body }, { status: 429, body: { code: 'idempotency_limit', checks_limit: 100_000 } });
    t.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 86_400);
  }
  t.equal(await countKeys('verdict:{*}:once:*'), REMEMBERED - 20 + 1);
  t.equal((await answered(() => attacker.check(0))).status, 200, 'without an Idempotency-Key it goes on');
  const patient = { timeoutMs: 60_000, deadlineMs: 60_000 };
  const verdict = new Verdict({ apiKey: attacker.apiKey, baseUrl: at(0, ''), ...patient });
  const byClient = await answered(() =>
    verdict.check('sdk@gmail.com').then(
      ({ id }) => ({ status: 200, id }),
      ({ status, code }: VerdictError) => ({ status, id: code }),
    ),
  );
  t.match(byClient, { status: 200, id: /^log_/ }, 'and so does the client of ours by itself');
  t.equal(await countKeys('verdict:{*}:once:*'), REMEMBERED - 20 + 1);
  const kept = answers.findIndex(({ status }) => status === 200);
  const again = await attacker.check(kept, `once-${kept}`);
  t.equal(again.headers['idempotent-replayed'], 'true', 'what is remembered is still told');
  t.equal((await answered(() => neighbour.check(0, 'mine'))).status, 200);
});

t.test('a list is as long as the plan says, by entries or by import', async (t) => {
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => `d${from + i}.example`);
  t.equal(
    (await attacker.call('POST', 'lists/block/import/', { entries: rows(0, ENTRIES + 1) })).status,
    400,
  );
  t.equal(
    (await attacker.call('POST', 'lists/block/import/', { entries: rows(0, ENTRIES - 1) })).status,
    200,
  );
  const added = await Promise.all(
    rows(100, 8).map((value) => attacker.call('POST', 'lists/block/', { value })),
  );
  t.equal(added.filter(({ status }) => status === 201).length, 1);
  t.match(
    added.find(({ status }) => status === 400)?.body.error,
    /holds 40 entries with 2560 characters at most on your plan/,
  );
  t.match((await attacker.call('GET', 'lists/block/')).body, { total: ENTRIES, entries_max: ENTRIES });
  t.equal((await neighbour.call('POST', 'lists/block/', { value: 'd0.example' })).status, 201);
});

t.test('a loop of making and revoking keys comes to an end', async (t) => {
  const before = await countKeys('verdict:key:*');
  let refused: Body | undefined;
  let made = 1;
  for (; made <= 2 * KEYS_EVER && !refused; made++) {
    // Every other one by rolling: an old value stays known as well.
    const answer =
      made % 2
        ? await attacker.call('POST', 'dashboard/keys/', { name: 'loop' })
        : await attacker.call('POST', `dashboard/keys/${attacker.key.id}/roll/`, { overlap_seconds: 0 });
    if (answer.status >= 400) refused = answer.body;
    else if (made % 2) await attacker.call('DELETE', `dashboard/keys/${answer.body.key.id}/`);
  }
  t.match(refused, { code: 'too_many_keys_made', error: /12 API key values/ });
  t.equal(await countKeys('verdict:key:*'), before + KEYS_EVER - 1);
  t.match(await attacker.call('POST', `dashboard/keys/${attacker.key.id}/roll/`, {}), {
    status: 400,
    body: { code: 'too_many_keys_made' },
  });
  t.equal((await neighbour.call('POST', 'dashboard/keys/', { name: 'second' })).status, 201);
  t.equal((await answered(() => neighbour.check(1))).status, 200);
});

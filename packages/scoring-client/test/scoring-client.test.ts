import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  DATASETS_PATH,
  EXPLAIN_PATH,
  SCORE_BATCH_MAX,
  SCORE_PATH,
  SCORING_VERSION,
} from '@verdict/contracts/scoring-api.js';
import { standStill } from '@verdict/local-stack/stand-still.js';
import t from 'tap';
import { createScoringClient } from '../src/scoring-client.js';

const VERSION = { version: '2026-11-01' };
const DATASETS = {
  disposable_domains: { count: 1, ...VERSION },
  free_providers: VERSION,
  role_prefixes: VERSION,
};
const EXTRA = {
  role_account: false,
  no_reply: false,
  relay: false,
  mx_unknown: false,
  plus_tag: false,
  suggestion: null,
};

/** A replica of a release without frames, whose score of an address is the number in it, answered in two lines, the last addresses first. */
async function startReplica(isBroken = () => false, afterMs = 0) {
  const sizes: number[] = [];
  const server = createServer(async (request, response) => {
    if (request.url !== SCORE_PATH) return void response.writeHead(404).end();
    const { checks } = JSON.parse(await text(request)) as { checks: { email: string }[] };
    sizes.push(checks.length);
    if (isBroken()) return void response.destroy();
    await setTimeout(afterMs);
    const verdicts = checks.map(({ email }) => ({
      risk_score: Number(/\d+/.exec(email)?.[0]) % 100,
      signals: { disposable_email: false, mx_valid: true, free_provider: false },
      extra: EXTRA,
      factors: [],
      datasets: 'd',
    }));
    const positions = checks.map((_, i) => ({ i, verdict: i })).reverse();
    const half = Math.ceil(positions.length / 2);
    for (const part of [positions.slice(0, half), positions.slice(half)]) {
      if (part.length > 0)
        response.write(
          `${JSON.stringify({ v: SCORING_VERSION, datasets: DATASETS, verdicts, checks: part })}\n`,
        );
    }
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sizes };
}

const openClient = (urls: readonly string[], waitingMax = 10, deadlineMs = 20_000) => {
  const client = createScoringClient({ urls, deadlineMs, batchMax: 64, waitingMax });
  t.teardown(() => client.close());
  return client;
};
const addresses = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@a.example`);

t.test('addresses of one request are one call, in their order', async (t) => {
  const replica = await startReplica();
  const emails = addresses(100);
  const scored = await openClient([replica.url]).scoreAll({ emails, accountId: 'acc_1' });
  t.strictSame(
    scored.map(({ verdict }) => verdict.risk_score),
    emails.map((_, i) => i),
  );
  t.strictSame(replica.sizes, [100]);
});

t.test('more than a call takes are several', async (t) => {
  const replica = await startReplica();
  const emails = addresses(SCORE_BATCH_MAX + 10);
  const scored = await openClient([replica.url]).scoreAll({ emails, accountId: 'acc_1' });
  t.equal(scored.length, emails.length);
  t.equal(scored.at(-1)?.verdict.risk_score, (emails.length - 1) % 100);
  t.strictSame(replica.sizes, [SCORE_BATCH_MAX, 10]);
});

t.test('a replica that breaks is replaced by another, and too many at once are refused', async (t) => {
  let broken = true;
  const [dead, alive] = await Promise.all([startReplica(() => broken), startReplica()]);
  const client = openClient([dead.url, alive.url], 2);
  const ask = () => client.scoreAll({ emails: addresses(3), accountId: 'acc_1' });
  t.equal((await ask()).length, 3);
  t.equal((await ask()).length, 3);
  broken = false;
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, ask));
  t.strictSame(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected'],
  );
});

t.test('a second attempt has all that is left of the deadline', async (t) => {
  const [dead, slow] = await Promise.all([startReplica(() => true), startReplica(() => false, 2_000)]);
  const client = openClient([dead.url, slow.url], 10, 3_000);
  t.equal((await client.scoreAll({ emails: addresses(3), accountId: 'acc_1' })).length, 3);
  t.equal(dead.sizes.length, 1);
});

t.test('a verdict is not given up because this process stood still', async (t) => {
  const replica = await startReplica();
  const client = openClient([replica.url], 10, 1_000);
  await client.score({ email: 'p1@a.example', accountId: 'acc_1' });
  const answer = client.score({ email: 'p2@a.example', accountId: 'acc_1' });
  // From here the timers come next, and sockets are read after them.
  for (let turn = 0; turn < 2; turn++) await setImmediate();
  standStill(2_500);
  t.equal((await answer).verdict.risk_score, 2);
});

t.test('no addresses are no call', async (t) => {
  t.strictSame(await openClient(['http://127.0.0.1:1']).scoreAll({ emails: [], accountId: 'acc_1' }), []);
});

t.test('a question goes to another replica when one is dead, and its refusal is final', async (t) => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const isKnown = request.method === 'GET';
    response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? DATASETS : { success: false, error: 'no such release' }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  const alive = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openClient(['http://127.0.0.1:1', alive]);
  t.strictSame(await client.datasets(), DATASETS);
  t.strictSame(await client.datasets(), DATASETS);
  await t.rejects(client.explain({ email: 'a@b.example', datasets: '2020-01-01' }), {
    message: 'no such release',
  });
  t.strictSame(asked, [DATASETS_PATH, DATASETS_PATH, EXPLAIN_PATH]);
  await t.rejects(openClient(['http://127.0.0.1:1']).datasets(), {
    message: 'scoring does not answer at http://127.0.0.1:1',
  });
});

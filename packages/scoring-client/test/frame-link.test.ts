import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameAnswer, FrameRequest } from '@verdict/contracts/scoring-frames.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import t, { type Test } from 'tap';
import { createScoringClient } from '../src/scoring-client.js';
import { DATASETS, type Gateway, startFramesReplica } from './support/frames-replica.js';

const PLAIN = 99;
const verdictOf = (risk_score: number) => sampleVerdict({ risk_score });
/** The answer of a fresh connection: every check gets this score. */
const all = ({ emails }: FrameRequest, risk_score: number) => ({
  datasets: DATASETS,
  verdicts: [verdictOf(risk_score)],
  checks: emails.flatMap((_, i) => [i, 0]),
});

/** A replica that answers every batch with `score` and keeps what `hold` asks it to keep. */
async function startReplica(t: Test, score: number, hold: () => boolean = () => false) {
  const held: [Gateway, number][] = [];
  const told = new Set<Gateway>();
  const traces: (string | undefined)[] = [];
  const replica = await startFramesReplica({
    onBatch(gateway, number, request) {
      traces.push(request.traces);
      if (hold()) return void held.push([gateway, number]);
      gateway.answer(
        number,
        told.has(gateway) ? { checks: all(request, score).checks } : all(request, score),
      );
      told.add(gateway);
    },
  });
  t.teardown(() => replica.close());
  return { ...replica, held, traces };
}

/** A replica that cuts every connection. */
async function startRefusingReplica(t: Test) {
  let count = 0;
  const server = createServer((request) => {
    count++;
    request.socket.destroy();
  });
  server.on('upgrade', (_request, socket) => socket.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count };
}

function openClient(t: Test, urls: readonly string[], deadlineMs = 20_000, traces?: string) {
  let failures = 0;
  const client = createScoringClient({
    urls,
    deadlineMs,
    onFailure: () => failures++,
    carried: () => traces,
  });
  t.teardown(() => client.close());
  const ask = async (email = 'a@b.example') =>
    (await client.score({ email, accountId: 'acc_1' })).verdict.risk_score;
  return { ...client, ask, failures: () => failures };
}

/** Asks until the batches take the connection for frames. */
const linked = (ask: () => Promise<number>, score: number) => eventually(async () => (await ask()) === score);

t.test('batches move from the plain route to the connection, which is opened once', async (t) => {
  const replica = await startReplica(t, 1, () => false);
  const { ask, score } = openClient(t, [replica.url]);
  t.equal(await ask(), PLAIN, 'the first need not wait for the connection');
  await linked(ask, 1);
  const before = replica.plainBatches();
  const scored = [];
  for (let i = 0; i < 5; i++) scored.push(await score({ email: `${i}@b.example`, accountId: 'acc_1' }));
  t.equal(replica.plainBatches(), before);
  t.equal(replica.gateways.length, 1);
  t.equal(new Set(scored).size, 1, 'one verdict is one object, in all batches of the connection');
});

t.test('traces travel with their batch', async (t) => {
  const replica = await startReplica(t, 1);
  const { ask } = openClient(t, [replica.url], 20_000, '00-a-b-01');
  await linked(ask, 1);
  t.equal(replica.traces.at(-1), '00-a-b-01');
});

t.test('answers come in any order, and a slow check is answered by a later frame', async (t) => {
  let isHeld = false;
  const replica = await startReplica(t, 1, () => isHeld);
  const { ask, score } = openClient(t, [replica.url]);
  await linked(ask, 1);
  isHeld = true;
  const first = Promise.all(
    ['slow@a.example', 'quick@a.example'].map((email) => score({ email, accountId: 'acc_1' })),
  );
  await eventually(() => replica.held.length === 1);
  const second = ask();
  await eventually(() => replica.held.length === 2);
  const [gateway, number] = replica.held[0] as [Gateway, number];
  const [, later] = replica.held[1] as [Gateway, number];
  gateway.answer(later, { verdicts: [verdictOf(2)], checks: [0, 1] });
  t.equal(await second, 2);
  gateway.answer(number, { checks: [1, 0] });
  gateway.answer(number, { verdicts: [verdictOf(3)], checks: [0, 2] });
  t.strictSame(
    (await first).map(({ verdict }) => verdict.risk_score),
    [3, 1],
  );
});

t.test('after a reset numbers start from zero', async (t) => {
  let isHeld = false;
  const replica = await startReplica(t, 1, () => isHeld);
  const { ask } = openClient(t, [replica.url]);
  await linked(ask, 1);
  isHeld = true;
  const answer = ask();
  await eventually(() => replica.held.length === 1);
  const [gateway, number] = replica.held[0] as [Gateway, number];
  gateway.answer(number, { reset: true, verdicts: [verdictOf(7)], checks: [0, 0] });
  t.equal(await answer, 7);
});

t.test('a replica that dies in the middle loses nothing: its batches go to another', async (t) => {
  let isHeld = false;
  const dying = await startReplica(t, 1, () => isHeld);
  const alive = await startReplica(t, 2);
  const { ask, failures } = openClient(t, [dying.url, alive.url]);
  await linked(ask, 1);
  await linked(ask, 2);
  isHeld = true;
  const answers = Array.from({ length: 3 }, () => ask());
  await eventually(() => dying.held.length > 0 || answers.length === 0);
  dying.close();
  for (const answer of answers) t.equal(await answer, 2);
  t.ok(failures() > 0);
});

t.test(
  'checks that waited for a slow domain fail with their replica, and do not wait for the deadline',
  async (t) => {
    let isHeld = false;
    const replica = await startReplica(t, 1, () => isHeld);
    const { ask } = openClient(t, [replica.url]);
    await linked(ask, 1);
    isHeld = true;
    const slow = ask();
    await eventually(() => replica.held.length === 1);
    const [gateway, number] = replica.held[0] as [Gateway, number];
    gateway.answer(number, { checks: [] });
    isHeld = false;
    t.equal(await ask(), 1, 'the next batch may go');
    gateway.socket.destroy();
    await t.rejects(slow, /closed the connection|ECONNRESET/);
  },
);

t.test(
  'after a goodbye nothing new is sent, what is open is answered, and another connection is opened',
  async (t) => {
    let isHeld = false;
    const replica = await startReplica(t, 1, () => isHeld);
    const { ask, failures } = openClient(t, [replica.url]);
    await linked(ask, 1);
    isHeld = true;
    const open = ask();
    await eventually(() => replica.held.length === 1);
    isHeld = false;
    const [gateway, number] = replica.held[0] as [Gateway, number];
    gateway.goodbye();
    await eventually(async () => (await ask()) === PLAIN);
    const ended = once(gateway.socket, 'close');
    gateway.answer(number, { checks: [0, 0] });
    t.equal(await open, 1);
    await ended;
    t.equal(failures(), 0);
  },
);

t.test('a replica that said goodbye is not asked while another is there', async (t) => {
  const leaving = await startReplica(t, 1);
  const staying = await startReplica(t, 2);
  const { ask } = openClient(t, [leaving.url, staying.url]);
  await linked(ask, 1);
  await linked(ask, 2);
  (leaving.gateways[0] as Gateway).goodbye();
  const ended = once((leaving.gateways[0] as Gateway).socket, 'close');
  await ended;
  for (let i = 0; i < 4; i++) t.equal(await ask(), 2);
});

t.test('a slow replica can still answer when the second attempt is refused', async (t) => {
  let isHeld = false;
  const slow = await startReplica(t, 1, () => isHeld);
  const refusing = await startRefusingReplica(t);
  const { ask } = openClient(t, [slow.url, refusing.url], 3_000);
  await linked(ask, 1);
  const refused = refusing.count();
  // From its refusal on, it rests for a second: the next batch goes to the slow one.
  await eventually(async () => (await ask()) === 1 && refusing.count() > refused);
  isHeld = true;
  const answer = ask();
  await eventually(() => slow.held.length === 1);
  const before = refusing.count();
  await eventually(() => refusing.count() > before);
  const [gateway, number] = slow.held[0] as [Gateway, number];
  gateway.answer(number, { checks: [0, 0] });
  t.equal(await answer, 1);
});

t.test('a replica that keeps silent gets no further batch on that connection; another answers', async (t) => {
  let isHeld = false;
  const silent = await startReplica(t, 1, () => isHeld);
  const alive = await startReplica(t, 2);
  const { ask } = openClient(t, [silent.url, alive.url], 1_000);
  await linked(ask, 1);
  await linked(ask, 2);
  isHeld = true;
  const ended = once((silent.gateways[0] as Gateway).socket, 'close');
  for (let i = 0; i < 2; i++) t.equal(await ask(), 2);
  await ended;
});

t.test(
  'an answer that makes no sense ends the connection, and its batch goes to another replica',
  async (t) => {
    const nonsense: (FrameAnswer | string)[] = [
      'not JSON',
      { verdicts: [{ ...verdictOf(1), risk_score: 101 }], checks: [0, 0] },
      { checks: [0, 5] },
      { checks: [5, 0] },
    ];
    for (const answer of nonsense) {
      let isHeld = false;
      const mad = await startReplica(t, 1, () => isHeld);
      const alive = await startReplica(t, 2);
      const { ask } = openClient(t, [mad.url, alive.url]);
      await linked(ask, 1);
      await linked(ask, 2);
      isHeld = true;
      const answers = [ask(), ask()];
      const third = eventually(async () => {
        if (mad.held.length === 0) void ask();
        return mad.held.length > 0;
      });
      await third;
      const [gateway, number] = mad.held[0] as [Gateway, number];
      const ended = once(gateway.socket, 'close');
      gateway.answer(number, answer);
      for (const each of answers) t.equal(await each, 2);
      await ended;
    }
  },
);

t.test('a batch that the replica refuses is refused by its connection, which stays', async (t) => {
  let isHeld = false;
  const replica = await startReplica(t, 1, () => isHeld);
  const { ask } = openClient(t, [replica.url]);
  await linked(ask, 1);
  isHeld = true;
  const refused = ask();
  for (const attempt of [0, 1]) {
    await eventually(() => replica.held.length === attempt + 1);
    const [gateway, number] = replica.held[attempt] as [Gateway, number];
    gateway.answer(number, { error: 'checks.0.email: has no @' });
  }
  await t.rejects(refused, /has no @/);
  isHeld = false;
  t.equal(await ask(), 1);
  t.equal(replica.gateways.length, 1);
});

t.test('closing waits for what is open and ends the connection', async (t) => {
  let isHeld = false;
  const replica = await startReplica(t, 1, () => isHeld);
  const { ask, close } = openClient(t, [replica.url]);
  await linked(ask, 1);
  isHeld = true;
  const open = ask();
  await eventually(() => replica.held.length === 1);
  const closed = close();
  const [gateway, number] = replica.held[0] as [Gateway, number];
  const ended = once(gateway.socket, 'close');
  gateway.answer(number, { checks: [0, 0] });
  t.equal(await open, 1);
  await Promise.all([closed, ended]);
});

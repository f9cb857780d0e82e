import { once } from 'node:events';
import { connect } from 'node:net';
import { FRAMES_PATH, GOODBYE } from '@verdict/contracts/scoring-frames.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { toFrame } from '@verdict/service-kit/to-frame.js';
import t from 'tap';
import { openFrames } from './support/open-frames.js';
import { startScoring } from './support/scoring-service.js';

const dns = await startDnsServer({ 'canary.net': { mx: [[1, 'mx.canary.net']] } });
const SETTINGS = {
  DNS_SERVERS: dns.address,
  DNS_CANARY: 'canary.net',
  DNS_DEADLINE_MS: '20000',
  DATASETS_POLL_MS: '600000',
};
const scoring = await startScoring(SETTINGS);
t.teardown(async () => {
  await scoring.close();
  await dns.close();
});

/** A domain whose name server answers when `release` is called. */
function hold(domain: string): () => void {
  let release: () => void = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  dns.zone[domain] = { mx: [[1, `mx.${domain}`]], after };
  return release;
}

const figure = async (name: string) =>
  Number(
    new RegExp(`^${name}(?:{.*})? (\\d+)`, 'm').exec(await scoring.deps.metrics.registry.metrics())?.[1] ?? 0,
  );

t.test('a verdict travels once per connection, and equals that of the plain route', async (t) => {
  const plain = await scoring.score('a@gmail.com', 'info@gmail.com');
  const frames = await openFrames(scoring.url);
  frames.send(1, 'a@gmail.com', 'b@gmail.com', 'info@gmail.com');
  frames.send(2, 'c@gmail.com', 'sales@gmail.com', 'x+tag@gmail.com');
  const [number, first] = await frames.next();
  t.equal(number, 1);
  t.strictSame(first.verdicts, plain.lines);
  t.strictSame(first.datasets, plain.answer[0]?.datasets);
  t.strictSame(first.checks, [0, 0, 1, 0, 2, 1]);
  const [, second] = await frames.next();
  t.equal(second.verdicts?.length, 1, 'only the kind of mailbox that is new');
  t.strictSame(second.checks, [0, 0, 1, 1, 2, 2]);
  t.equal(second.datasets, undefined);
  const other = await openFrames(scoring.url);
  other.send(1, 'd@gmail.com');
  t.equal((await other.next())[1].verdicts?.length, 1, 'another connection knows nothing');
  t.equal(await figure('verdict_score_connections'), 2);
  for (const { socket } of [frames, other]) socket.destroy();
  await eventually(async () => (await figure('verdict_score_connections')) === 0);
});

t.test('a slow domain delays only its own check', async (t) => {
  const release = hold('slow.com');
  const frames = await openFrames(scoring.url);
  frames.send(1, 'a@slow.com', 'a@gmail.com');
  frames.send(2, 'b@gmail.com');
  t.strictSame((await frames.next())[1].checks, [1, 0]);
  t.equal((await frames.next())[0], 2);
  release();
  const [number, late] = await frames.next();
  t.equal(number, 1);
  t.equal(late.checks?.[0], 0);
  t.equal(late.verdicts?.[0]?.signals.mx_valid, true);
  frames.socket.destroy();
});

t.test('a batch with something that is no address is refused as a whole, the next is answered', async (t) => {
  const frames = await openFrames(scoring.url);
  frames.send(1, 'a@gmail.com', 'not an address');
  t.match(await frames.next(), [1, { error: /checks\.1\.email/ }]);
  frames.send(2, 'a@gmail.com');
  t.match(await frames.next(), [2, { checks: [0, 0] }]);
  frames.socket.destroy();
});

t.test('bytes that are no batch end their own connection and no other', async (t) => {
  const neighbour = await openFrames(scoring.url);
  const bad = [
    toFrame(1, 'not JSON'),
    toFrame(1, '{"emails":[]}'),
    toFrame(1, JSON.stringify({ emails: Array(257).fill('a@gmail.com'), accounts: [] })),
    Buffer.from([255, 255, 255, 255, 1, 0, 0, 0]),
  ];
  for (const bytes of bad) {
    const { socket } = await openFrames(scoring.url);
    socket.write(bytes);
    await once(socket, 'close');
  }
  neighbour.send(1, 'a@gmail.com');
  t.equal((await neighbour.next())[0], 1);
  neighbour.socket.destroy();
});

t.test('an upgrade to anything else is refused', async (t) => {
  for (const [path, protocol] of [
    ['/internal/other', 'verdict-frames-1'],
    [FRAMES_PATH, 'websocket'],
  ]) {
    const socket = connect(Number(new URL(scoring.url).port), '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
    t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 404 /);
    socket.destroy();
  }
});

t.test('a gateway that does not read its answers is not read from either', async (t) => {
  const before = await figure('verdict_scored_total');
  const frames = await openFrames(scoring.url);
  frames.socket.pause();
  const emails = Array.from({ length: 256 }, (_, i) => `person${i}@gmail.com`);
  const SENT = 20_000;
  for (let number = 1; number <= SENT; number++) frames.send(number, ...emails);
  let scored = -1;
  await eventually(async () => {
    const previous = scored;
    scored = (await figure('verdict_scored_total')) - before;
    return scored > 0 && scored === previous;
  });
  t.ok(scored < SENT * 256, 'scoring stopped before the end');
  frames.socket.destroy();
});

t.test(
  'batches that wait for look-ups are bounded: the one above the bound is read when one is answered',
  async (t) => {
    const release = hold('held.com');
    const frames = await openFrames(scoring.url);
    const sendHeld = async (from: number, to: number) => {
      for (let number = from; number <= to; number++) frames.send(number, 'a@held.com');
      const answers: unknown[] = [];
      while (answers.length <= to - from) answers.push((await frames.next())[1].checks);
      t.ok(answers.every((checks) => JSON.stringify(checks) === '[]'));
    };
    await sendHeld(1, 4_095);
    frames.send(5_000, 'a@gmail.com');
    t.equal((await frames.next())[0], 5_000, 'a burst of checks of a domain that hangs delays no other');
    await sendHeld(4_096, 4_096);
    frames.send(5_001, 'a@gmail.com');
    const before = await figure('verdict_scored_total');
    frames.send(5_002, 'a@gmail.com');
    await fetch(`${scoring.url}/internal/datasets`); // a turn of the loop in which it could have been read
    t.equal(frames.answers.length, 0);
    t.equal(await figure('verdict_scored_total'), before);
    release();
    const late = new Set<number>();
    while (late.size < 4_098) late.add((await frames.next())[0]);
    t.ok(late.has(5_001) && late.has(5_002));
    frames.socket.destroy();
  },
);

t.test('each sampled check of a batch gets a step, which lasts until its batch is answered', async (t) => {
  const steps: { parent: unknown; state: string }[] = [];
  const traced = await startScoring(SETTINGS, {
    start(_kind, _name, parent) {
      const step = { parent, state: 'open' };
      const settle = (state: string) => {
        if (step.state === 'open') step.state = state;
      };
      steps.push(step);
      return { traceId: '', traceparent: null, end: () => settle('ended'), fail: () => settle('failed') };
    },
    within: (_step, work) => work(),
    current: () => undefined,
    keep: () => undefined,
    close: async () => undefined,
  });
  t.teardown(() => traced.close());
  const release = hold('traced.com');
  const frames = await openFrames(traced.url);
  frames.sendTraced('trace-1,trace-2', 1, 'a@traced.com', 'a@gmail.com');
  await frames.next();
  const states = () => steps.map(({ state }) => state);
  t.strictSame(
    steps.map(({ parent }) => parent),
    ['trace-1', 'trace-2'],
  );
  t.strictSame(states(), ['open', 'open'], 'a check of the batch waits for its domain');
  release();
  await frames.next();
  await eventually(() => states().join() === 'ended,ended');
  frames.sendTraced('trace-3', 2, 'not an address');
  await frames.next();
  hold('never-traced.com');
  frames.sendTraced('trace-4', 3, 'a@never-traced.com');
  await frames.next();
  frames.socket.destroy();
  await eventually(() => states().join() === 'ended,ended,failed,failed');
});

t.test(
  'stopping says goodbye, answers what is under way, and waits for no connection that stays',
  async (t) => {
    const leaving = await startScoring(SETTINGS);
    const release = hold('last.com');
    const frames = await openFrames(leaving.url);
    const silent = await openFrames(leaving.url);
    frames.send(1, 'a@last.com');
    await frames.next();
    const closed = leaving.close();
    t.equal((await frames.next())[0], GOODBYE);
    t.equal((await silent.next())[0], GOODBYE);
    frames.send(2, 'a@gmail.com');
    t.equal((await frames.next())[0], 2, 'what crossed the goodbye on its way');
    release();
    t.equal((await frames.next())[1].verdicts?.[0]?.signals.mx_valid, true);
    frames.socket.end();
    await closed;
  },
);

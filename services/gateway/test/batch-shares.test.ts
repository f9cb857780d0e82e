import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { CHECK_BATCH_PATH } from '@verdict/contracts/api-paths.js';
import { CHECK_BATCH_BODY_BYTES_MAX } from '@verdict/contracts/check-batch-api.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { REFUSAL_PAUSE_MS } from '../src/auth/slow-refusals.js';
import { startGateway } from './support/start-gateway.js';

const gateway = await startGateway();
t.teardown(() => gateway.close());

const batch = async (apiKey: string, items: readonly object[], remoteAddress = '192.0.2.1') => {
  const answer = await gateway.app.inject({
    method: 'POST',
    url: CHECK_BATCH_PATH,
    remoteAddress,
    headers: { 'x-api-key': apiKey },
    payload: { items },
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
};
const items = (count: number, email: string) => Array.from({ length: count }, () => ({ email }));

t.test('a batch above the rate is refused before an address of it is parsed', async (t) => {
  const key = await gateway.customer({ rate: 50 });
  const { status, body } = await batch(key, items(51, 'nonsense'));
  t.equal(status, 400);
  t.match(body, { error: 'items: has more than the 50 checks a second of your plan' });
});

for (const [kind, sent, status] of [
  ['refused', items(1_000, 'jane@gmail.com'), 400],
  ['malformed', items(1_000, 'nonsense'), 200],
] as const)
  t.test(`${kind} items spend the rate of their key, and only of theirs`, async (t) => {
    const key = await gateway.customer({ rate: status === 200 ? 1_000 : 50 });
    const neighbour = await gateway.customer();
    // A slow machine gives the rate time to come back: it is asked again, and what passes is counted.
    let granted = 0;
    const tooMuch = await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => batch(key, sent)));
      t.ok(answers.every((answer) => answer.status === status || answer.status === 429));
      const after = await batch(key, items(1, 'jane@gmail.com'));
      if (after.status === 200) granted++;
      return after.status === 429 && after;
    });
    t.match(tooMuch.body, { code: 'rate_limited', checks_limit: 100 });
    t.ok(tooMuch.body.checks_used <= granted, 'refused items are not counted');
    t.match(tooMuch.headers['retry-after'], /^[12]$/);
    t.equal((await batch(neighbour, items(2, 'jane@gmail.com'))).status, 200);
    await eventually(async () => (await batch(key, items(1, 'jane@gmail.com'))).status === 200);
  });

t.test('a batch of a key in debt is refused after a pause', async () => {
  const key = await gateway.customer({ rate: 50 });
  await eventually(async () => {
    const begun = performance.now();
    const { status } = await batch(key, items(1_000, 'jane@gmail.com'));
    return status === 429 && performance.now() - begun >= REFUSAL_PAUSE_MS;
  });
});

t.test('the first batch of a key may be malformed, and its next passes', async (t) => {
  const key = await gateway.customer();
  const malformed = await gateway.app.inject({
    method: 'POST',
    url: `${CHECK_BATCH_PATH}?expand=nothing`,
    headers: { 'x-api-key': key },
    payload: { items: items(24, 'jane@gmail.com') },
  });
  t.equal(malformed.statusCode, 400);
  t.equal((await batch(key, items(2, 'jane@gmail.com'))).status, 200);
});

t.test('large bodies that arrive share the memory, and a small batch of another passes', async (t) => {
  const key = await gateway.customer();
  const neighbour = await gateway.customer();
  const { port } = new URL(await gateway.app.listen({ port: 0, host: '127.0.0.1' }));
  const answers: string[] = [];
  const sockets: Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  const head = [
    `POST ${CHECK_BATCH_PATH} HTTP/1.1`,
    'host: x',
    `x-api-key: ${key}`,
    'content-type: application/json',
    `content-length: ${CHECK_BATCH_BODY_BYTES_MAX}`,
  ];
  for (let i = 0; i < 48; i++) {
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    sockets.push(socket);
    await once(socket, 'connect');
    socket.on('error', () => undefined).on('data', (bytes) => answers.push(String(bytes)));
    socket.write(`${head.join('\r\n')}\r\n\r\n{"items":[`);
  }
  await eventually(async () => answers.length >= 16);
  t.ok(answers.every((answer) => answer.startsWith('HTTP/1.1 429')));
  t.equal((await batch(neighbour, items(2, 'jane@gmail.com'), '192.0.2.9')).status, 200);
});

import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import { startService } from '@verdict/local-stack/start-service.js';
import t from 'tap';
import { startHttpServer } from '../harness/start-http-server.js';
import { residentBytes } from './resident-bytes.js';

/** The most memory, places for files and connections of the gateway that an account or address may hold. */
const MB = 1024 * 1024;
const UNREAD = 60;
const SLOW_SENDERS = 6;
/** Longer than the headers of a request may take. */
const HEADERS_MS = 6_500;

const stack = await openStack();
t.teardown(() => stack.stop());
/** Answers with as many bytes as the path asks for, and takes every file. */
let documents = 0;
const upstream = await startHttpServer((asked, response) => {
  if (asked.url?.includes('/openapi.json')) documents++;
  asked.resume().once('end', () => {
    const bytes = Number(/bytes=(\d+)/.exec(asked.url ?? '')?.[1] ?? 2);
    response.writeHead(asked.method === 'POST' ? 202 : 200, { 'content-length': bytes });
    response.end(Buffer.alloc(bytes, 'x'));
  });
});
t.teardown(() => upstream.stop());
const start = () =>
  startService('gateway', { ...stack.environments.gateway, CONTROL_PLANE_URL: upstream.url });
const gateway = await start();
const opened: Socket[] = [];
t.teardown(async () => {
  for (const socket of opened) socket.destroy();
  await gateway.stop();
});
const { port } = new URL(gateway.url);
const path = (bytes: number) => `/api/v1/dashboard/logs/?bytes=${bytes}`;
const get = (where: string) => `GET ${where} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** Sends exactly this text from an address of its own, and reads nothing. */
async function sayFrom(localAddress: string, text: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
  await once(socket, 'connect');
  opened.push(socket.on('error', () => undefined));
  socket.write(text);
  return socket;
}

/** How an address is answered that has gone on. */
const statusFrom = (localAddress: string, where: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: where, localAddress }, (answer) => {
      resolve(answer.statusCode);
      answer.destroy();
    });
    asked.once('error', reject).end();
  });

/** Another customer's requests meanwhile. */
async function neighbourIsServed(): Promise<boolean> {
  const [small, large] = await Promise.all(
    [2, 4 * MB].map((bytes) =>
      fetch(`${gateway.url}${path(bytes)}`, { signal: AbortSignal.timeout(10_000) }),
    ),
  );
  return small?.status === 200 && large?.status === 200 && (await large.arrayBuffer()).byteLength === 4 * MB;
}

t.test(`${UNREAD} answers that nobody reads hold no memory to speak of, and are ended`, async (t) => {
  await neighbourIsServed();
  const before = residentBytes(gateway.pid);
  const sockets: Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let i = 0; i < UNREAD; i++) sockets.push(await sayFrom('127.0.3.1', get(path(8 * MB))));
  for (let i = 0; i < UNREAD; i++) sockets.push(await sayFrom('127.0.3.2', get(path(MB - 1)).repeat(8)));
  await delay(3_000);
  const held = residentBytes(gateway.pid) - before;
  t.comment(`${Math.round(held / MB)} MB held by ${2 * UNREAD} connections`);
  t.ok(held < 150 * MB, 'the gateway of 512 MB goes on');
  t.ok(await neighbourIsServed(), 'another customer is served meanwhile');
  await eventually(async () => (await statusFrom('127.0.3.1', path(8 * MB))) === 200, { withinMs: 120_000 });
  t.pass('what is not read is given up, and its place is free again');
});

t.test('requests that wait behind others give their places back with the connection', async (t) => {
  for (let i = 1; i <= 40; i++) {
    const socket = await sayFrom(`127.0.4.${i}`, get(path(MB - 1)).repeat(2) + get(path(2 * MB)).repeat(4));
    await delay(100);
    socket.destroy();
  }
  await eventually(neighbourIsServed);
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { status, body } = await fetch(`${gateway.url}${path(2 * MB)}`);
      await body?.cancel();
      return status;
    }),
  );
  t.strictSame(new Set(answers), new Set([200]), 'downloads are served as before');

  const other = await start();
  const left = await new Promise<Socket>((resolve) => {
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1', () => resolve(socket));
  });
  left.write(get(path(2 * MB)).repeat(8));
  await delay(500);
  left.destroy();
  t.equal((await other.stop()).code, 0, 'and nothing keeps the gateway from stopping');
});

t.test('a connection that asks far ahead of its answers is ended', async (t) => {
  const socket = await sayFrom('127.0.5.1', get('/api/v1/dashboard/logs/').repeat(400));
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  await once(socket, 'close');
  t.ok(received.split('HTTP/1.1 ').length - 1 < 400);
});

t.test('whoever sends a file slowly makes room when others wait', async (t) => {
  const upload = (apiKey: string, length: number) =>
    `POST /api/v1/jobs/ HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKey}\r\ncontent-type: text/csv\r\ncontent-length: ${length}\r\n\r\n`;
  const sockets: Socket[] = [];
  for (let i = 0; i < SLOW_SENDERS; i++) {
    const { apiKey } = await stack.createAccount('free');
    for (let j = 0; j < 8; j++) sockets.push(await sayFrom(`127.0.6.${i + 1}`, upload(apiKey, 56 * MB)));
  }
  const dripping = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write(Buffer.alloc(28 * 1024, 'x'));
  }, 1_000);
  t.teardown(() => clearInterval(dripping));
  await delay(3_000);
  const { apiKey } = await stack.createAccount('free');
  const honest = await sayFrom('127.0.7.1', upload(apiKey, 1_000) + 'x'.repeat(1_000));
  const [answer] = (await once(honest, 'data')) as [Buffer];
  t.match(String(answer), /^HTTP\/1\.1 202 /, 'another customer’s file is taken');
  clearInterval(dripping);
  for (const socket of [...sockets, honest]) socket.destroy();
});

t.test('a large body is read when the last one of its address was answered', async (t) => {
  const half = 'x'.repeat(50_000);
  const head = `POST /api/v1/lists/block/import/ HTTP/1.1\r\nhost: x\r\ncontent-length: ${2 * half.length}\r\n\r\n`;
  const answered: string[] = [];
  const send = async (who: string, localAddress: string, text: string) => {
    const socket = await sayFrom(localAddress, text);
    const answer = once(socket, 'data').then(() => answered.push(who));
    return { socket, answer };
  };
  const first = await send('first', '127.0.8.1', head + half);
  t.equal(await statusFrom('127.0.8.1', path(2)), 200, 'small requests do not wait');
  const next = await send('next', '127.0.8.1', head + half + half);
  for (const i of [2, 3]) await (await send('another', `127.0.8.${i}`, head + half + half)).answer;
  first.socket.write(half);
  await Promise.all([first.answer, next.answer]);
  t.strictSame(answered, ['another', 'another', 'first', 'next']);
});

t.test('a large body whose turn does not come is refused before its time to arrive is over', async (t) => {
  const head = 'POST /api/v1/lists/block/import/ HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n';
  await sayFrom('127.0.8.4', head);
  const next = await sayFrom('127.0.8.4', head + 'x'.repeat(100_000));
  const [answer] = await once(next, 'data');
  t.match(String(answer), /^HTTP\/1\.1 503 /);
});

t.test('a request that arrived while the gateway stood still is answered', async (t) => {
  const socket = await sayFrom('127.0.10.1', '');
  t.equal(await statusFrom('127.0.10.2', path(2)), 200, 'the earlier connection is accepted');
  process.kill(gateway.pid, 'SIGSTOP');
  socket.write(get(path(2)));
  await delay(HEADERS_MS);
  process.kill(gateway.pid, 'SIGCONT');
  const [answer] = await once(socket, 'data');
  t.match(String(answer), /^HTTP\/1\.1 200 /);
  const unfinished = await sayFrom('127.0.10.1', 'GET / HTTP/1.1\r\n');
  const [late] = await once(unfinished, 'data');
  t.match(String(late), /^HTTP\/1\.1 408 /, 'a request that does not arrive is refused as before');
  socket.destroy();
});

t.test(
  'however many addresses ask for the document of the API, the control plane is asked once',
  async (t) => {
    const sockets: Socket[] = [];
    for (let i = 1; i <= 60; i++)
      sockets.push(await sayFrom(`127.0.9.${i}`, get(`/api/v1/openapi.json?x=${i}.csv`).repeat(8)));
    t.equal(await statusFrom('127.0.9.100', '/api/v1/openapi.json'), 200);
    t.equal(await statusFrom('127.0.9.101', path(2)), 200, 'others are served');
    t.equal(documents, 1);
    for (const socket of sockets) socket.destroy();
  },
);

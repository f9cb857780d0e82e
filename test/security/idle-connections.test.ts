import { connect, type Socket } from 'node:net';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import { startService } from '@verdict/local-stack/start-service.js';
import t from 'tap';
import { SECURITY } from './config.js';
import { residentBytes } from './resident-bytes.js';
import { findEdge, startEdge } from './start-edge.js';

/** Clients that hold a connection and say little or nothing. The long form of this is in SECURITY.md. */
const CONNECTIONS = SECURITY.idleConnections;
const MEMORY_PER_CONNECTION_MAX = 64 * 1024;
/** The patience of our servers is 10 seconds and less; this only has to come. */
const AT_ALL = { withinMs: 120_000, everyMs: 500 };

/** Where the clients of one kind call from, which is never where others ask from. On Linux 127.0.0.0/8 is all this machine. */
const sourcesOf = (kind: number) =>
  process.platform === 'linux'
    ? [2, 3].map((host) => ({ localAddress: `127.0.0.${2 * kind + host}` }))
    : [{}];

const stack = await openStack();
t.teardown(() => stack.stop());
// Other files would change the memory of a shared gateway.
const gateway = await startService('gateway', stack.environments.gateway);
t.teardown(() => gateway.stop());
const binary = await findEdge();
const edge =
  binary === undefined
    ? undefined
    : await startEdge(binary, { gateway: gateway.url, internal: gateway.internalUrl });
t.teardown(() => edge?.stop());

const HOLDING: Readonly<Record<string, string>> = {
  'say nothing': '',
  'never finish their head': 'GET /api/v1/status/ HTTP/1.1\r\nhost: x\r\nx-slow: ',
  'never finish their body':
    'POST /api/v1/check/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 60\r\n\r\n{',
};

const TARGETS = Object.entries({
  'a gateway': { url: gateway.url, pid: gateway.pid },
  'the edge': edge && { url: edge.url, pid: edge.pid },
});
const kinds = TARGETS.flatMap(([way, target]) =>
  Object.entries(HOLDING).map(([what, text]) => ({ name: `clients of ${way} that ${what}`, target, text })),
);

/** The connections of one kind, the answer of each, and observations while they were open. */
interface Held {
  readonly sockets: readonly Socket[];
  readonly said: readonly string[];
  readonly status: number;
  readonly growth: number;
  readonly open: number;
}

// Opened one kind after the other for separate memory figures, and then awaited together: the servers give each of them
// ten seconds.
const held: (Held | undefined)[] = [];
t.teardown(() => {
  for (const { sockets } of held.filter((one) => one !== undefined))
    for (const socket of sockets) socket.destroy();
});
for (const [i, { target, text }] of kinds.entries())
  held.push(target && (await hold(target, text, sourcesOf(i))));

for (const [i, { name }] of kinds.entries()) {
  const skip = held[i] === undefined && 'no haproxy here';
  t.test(`${CONNECTIONS} ${name} cost little, harm nobody, and are closed`, { skip }, async (t) => {
    const { sockets, said, status, growth, open } = held[i] as Held;
    t.equal(status, 200, 'others are served');
    const figures = `${Math.round(growth / 1024)} KB more for ${CONNECTIONS}, of which ${open} are held`;
    t.ok(growth < CONNECTIONS * MEMORY_PER_CONNECTION_MAX, figures);
    if (SECURITY.idleIsLong) process.stderr.write(`${name}: ${figures}\n`);
    await eventually(() => sockets.every((socket) => socket.closed), AT_ALL);
    t.pass('none of them is kept');
    const isAnswer = /^content-type: application\/json[\s\S]*"error":/im;
    t.strictSame(
      [...new Set(said)].filter((text) => text && !isAnswer.test(text)),
      [],
    );
  });
}

async function hold(
  { url, pid }: { readonly url: string; readonly pid: number },
  text: string,
  sources: readonly { readonly localAddress?: string }[],
): Promise<Held> {
  const before = residentBytes(pid);
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const said: string[] = [];
  for (let i = 0; i < CONNECTIONS; i++) {
    const socket = connect({ host: hostname, port: Number(port), ...sources[i % sources.length] });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      said[i] = `${said[i] ?? ''}${chunk}`;
    });
    if (text !== '') socket.write(text);
    await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  }
  const headers = { 'x-api-key': stack.apiKey };
  const answer = await http(`${url}/api/v1/check/`, { headers, json: { email: 'jane@gmail.com' } });
  return {
    sockets,
    said,
    status: answer.status,
    growth: residentBytes(pid) - before,
    open: sockets.filter((socket) => !socket.closed).length,
  };
}

import { connect, type Socket } from 'node:net';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t, { type Test } from 'tap';
import { residentBytes } from '../harness/resident-bytes.js';
import { findEdge, startEdge } from '../harness/start-edge.js';
import { SECURITY } from './config.js';

/** Clients that hold a connection and say little or nothing. The long form of this is in SECURITY.md. */
const CONNECTIONS = SECURITY.idleConnections;
const MEMORY_PER_CONNECTION_MAX = 64 * 1024;
/** The patience of our servers is 10 seconds and less; this only has to come. */
const AT_ALL = { withinMs: 120_000, everyMs: 500 };

/** All of 127.0.0.0/8 is this machine, where it is Linux: whoever harms others does it from elsewhere than they ask from. */
const sources =
  process.platform === 'linux' ? [{ localAddress: '127.0.0.2' }, { localAddress: '127.0.0.3' }] : [{}];

const stack = await startStack();
t.teardown(() => stack.stop());
const [gateway] = stack.gateways;
if (!gateway) throw new Error('no gateway');
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

for (const [way, target] of Object.entries({
  'a gateway': { url: gateway.url, pid: gateway.pid },
  'the edge': edge && { url: edge.url, pid: edge.pid },
})) {
  for (const [what, text] of Object.entries(HOLDING)) {
    const skip = target === undefined && 'no haproxy here';
    t.test(
      `${CONNECTIONS} clients of ${way} that ${what} cost little, harm nobody, and are closed`,
      { skip },
      async (t) => {
        const { url, pid } = target ?? { url: '', pid: 0 };
        const before = residentBytes(pid);
        const { sockets, said } = await hold(t, url, text);
        const headers = { 'x-api-key': stack.apiKey };
        const answer = await http(`${url}/api/v1/check/`, { headers, json: { email: 'jane@gmail.com' } });
        t.equal(answer.status, 200, 'others are served');
        const growth = residentBytes(pid) - before;
        const open = sockets.filter((socket) => !socket.closed).length;
        t.ok(
          growth < CONNECTIONS * MEMORY_PER_CONNECTION_MAX,
          `${Math.round(growth / 1024)} KB more for ${CONNECTIONS}, of which ${open} are held`,
        );
        await eventually(() => sockets.every((socket) => socket.closed), AT_ALL);
        t.pass('none of them is kept');
        const answers = [...new Set(said)].filter(Boolean);
        for (const answer of answers) t.match(answer, /^content-type: application\/json[\s\S]*"error":/im);
      },
    );
  }
}

/** Their connections, and what each was told. */
async function hold(t: Test, url: string, text: string): Promise<{ sockets: Socket[]; said: string[] }> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const said: string[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
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
  return { sockets, said };
}

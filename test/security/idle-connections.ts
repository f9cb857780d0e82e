import { connect, type Socket } from 'node:net';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';
import type { Test } from 'tap';
import { residentBytes } from '../harness/resident-bytes.js';
import { findEdge, startEdge } from '../harness/start-edge.js';
import { SECURITY } from './config.js';

/** Clients that hold a connection and say little or nothing. The long form of this is in SECURITY.md. */
const CONNECTIONS = SECURITY.idleConnections;
const MEMORY_PER_CONNECTION_MAX = 64 * 1024;
/** The patience of our servers is 10 seconds and less; this only has to come. */
const AT_ALL = { withinMs: 120_000, everyMs: 500 };

export async function idleConnections(t: Test, stack: TestStack): Promise<void> {
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
          const sockets = await hold(t, url, text);
          const headers = { 'x-api-key': stack.apiKey };
          const answer = await http(`${url}/api/v1/check/`, { headers, json: { email: 'jane@gmail.com' } });
          t.equal(answer.status, 200, 'others are served');
          const growth = residentBytes(pid) - before;
          t.ok(
            growth < CONNECTIONS * MEMORY_PER_CONNECTION_MAX,
            `${Math.round(growth / CONNECTIONS)} bytes each`,
          );
          await eventually(() => sockets.every((socket) => socket.closed), AT_ALL);
          t.pass('none of them is kept');
        },
      );
    }
  }
}

async function hold(t: Test, url: string, text: string): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let i = 0; i < CONNECTIONS; i++) {
    const socket = connect({ host: hostname, port: Number(port) });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.resume();
    if (text !== '') socket.write(text);
    await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  }
  return sockets;
}

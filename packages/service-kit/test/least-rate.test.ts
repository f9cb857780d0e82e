import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { enforceLeastRate } from '../src/least-rate.js';

const BYTES = 32 * 1024 * 1024;
const server = createServer((_request, response) => response.end(Buffer.alloc(BYTES, 'x')));
let bytesPerSecond = 16 * 1024 * 1024;
enforceLeastRate(server, () => ({ bytesPerSecond, windowMs: 1_000 }));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
t.teardown(() => {
  server.closeAllConnections();
  server.close();
});

async function ask() {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return socket;
}

t.test('a reader that takes nothing is let go', async () => {
  const accepted = once(server, 'connection');
  const socket = await ask();
  const [theirs] = (await accepted) as [Socket];
  if (!theirs.destroyed) await once(theirs, 'close');
  socket.destroy();
});

t.test('a reader that takes its time, but enough, gets everything', async (t) => {
  bytesPerSecond = 1024 * 1024; // an eighth of what this one takes; a busy machine reads less than it should
  const socket = await ask();
  let received = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received += chunk.length;
    await delay((chunk.length / BYTES) * 4_000);
    if (received >= BYTES) break;
  }
  t.ok(received >= BYTES);
});

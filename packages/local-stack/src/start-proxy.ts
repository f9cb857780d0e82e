import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

export type TcpProxy = Awaited<ReturnType<typeof startProxy>>;

/** A proxy between a service and a server that the test may not stop, because others use it too. */
export async function startProxy(target: { host: string; port: number }) {
  const open = new Set<Socket>();
  const answers = new Map<Socket, Socket>();
  let state: 'open' | 'cut' | 'hushed' = 'open';
  const server = createServer((client) => {
    if (state === 'cut') return client.destroy();
    if (state === 'hushed') return swallow(client);
    const upstream = dial(target);
    join(client, upstream);
    join(upstream, client);
    answers.set(upstream, client);
    upstream.on('close', () => answers.delete(upstream));
  });
  function join(from: Socket, to: Socket): void {
    open.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      open.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }
  /** Reads, so that the sender's buffers never fill up, and never answers. */
  function swallow(socket: Socket): void {
    open.add(socket);
    socket.unpipe().removeAllListeners('close');
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.resume();
  }
  const destroyAll = () => {
    for (const socket of open) socket.destroy();
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Cuts every connection and refuses new ones, as a server that is down does. */
    cut() {
      state = 'cut';
      destroyAll();
    },
    /**
     * Swallows everything on connections old and new without closing any, as a frozen process or a dead link does. Those
     * connections stay dead after `restore`.
     */
    hush() {
      state = 'hushed';
      for (const socket of open) swallow(socket);
    },
    /** Delivers what the service sends and swallows what the server answers, on the connections that are open. */
    loseAnswers() {
      for (const [upstream, client] of answers) upstream.unpipe(client).resume();
    },
    /** Delivers what the client sends and closes each open connection instead of passing on its next answer. */
    cutAnswers() {
      for (const [upstream, client] of answers) {
        upstream.unpipe(client).once('data', () => client.destroy());
        upstream.resume();
        // It is cut once, however often this is asked before it answers.
        answers.delete(upstream);
      }
    },
    restore() {
      state = 'open';
    },
    async close() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

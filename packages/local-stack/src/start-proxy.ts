import { createServer, connect as dial, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Cuts every connection and refuses new ones, as a server that is away does. */
  cut(): void;
  /**
   * Swallows whatever is sent either way, on connections old and new, without closing any: a machine that vanished,
   * a link that drops every packet, or a process that is frozen. Those connections stay dead after `restore`.
   */
  hush(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Stands between a service and a server that the test may not stop, because others use it too. */
export async function startProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  let isHushed = false;
  const server = createServer((client) => {
    if (isCut) return client.destroy();
    if (isHushed) return swallow(client);
    const upstream = dial(target);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  /** Read, so that the sender's buffers never fill up, and never answered; not even its end is. */
  function swallow(socket: Socket): void {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.resume();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    hush() {
      isHushed = true;
      for (const socket of open) {
        socket.unpipe();
        socket.removeAllListeners('close');
        swallow(socket);
      }
    },
    restore() {
      isCut = false;
      isHushed = false;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

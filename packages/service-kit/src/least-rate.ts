import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface LeastRate {
  readonly bytesPerSecond: number;
  /** A pause that is forgiven. */
  readonly windowMs: number;
}

/** Bytes that waited on a connection, and how long ago they were seen. */
interface Mark {
  ticks: number;
  readonly bytes: number;
  /** How much the connection will have sent once they have left. */
  readonly sentAfter: number;
}

const TICK_MS = 1_000;

/**
 * Ends connections whose reader takes answers more slowly than `rate` allows. Time is counted in ticks, so that a process
 * which stood still does not blame its readers.
 */
export function enforceLeastRate(server: Server, rate: () => LeastRate): void {
  const sockets = new Map<Socket, Mark | undefined>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const { bytesPerSecond, windowMs } = rate();
    for (const [socket, mark] of sockets) {
      const waiting = socket.writableLength;
      if (waiting === 0) {
        if (mark) sockets.set(socket, undefined);
      } else if (!mark || socket.bytesWritten - waiting >= mark.sentAfter) {
        sockets.set(socket, { ticks: 0, bytes: waiting, sentAfter: socket.bytesWritten });
      } else if (++mark.ticks * TICK_MS > windowMs + (mark.bytes / bytesPerSecond) * 1000) {
        socket.destroy();
      }
    }
  }, TICK_MS).unref();
  server.once('close', () => clearInterval(timer));
}

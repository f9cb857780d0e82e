import { once } from 'node:events';
import type { Socket } from 'node:net';
import { FRAMES_PATH, FRAMES_PROTOCOL } from '@verdict/contracts/scoring-frames.js';
import type { Pool } from 'undici';
import { createFrameConnection, type FrameConnection } from './frame-connection.js';

export type FrameLink = ReturnType<typeof createFrameLink>;

const OPEN_MS = 1_000;
const KEEP_ALIVE_MS = 30_000;
/** A replica of an older release, or behind a proxy that passes no upgrade, is asked again so often. */
const RETRY_MS = 5_000;

/** Keeps one connection for frames to a replica. While there is none, batches go by plain HTTP and one is opened. */
export function createFrameLink(pool: Pool, deadlineMs: number, onGoodbye: () => void) {
  let connection: FrameConnection | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let isOpening = false;
  let hasLeft = false;
  let notBefore = 0;

  async function open(): Promise<void> {
    if (isOpening || hasLeft || performance.now() < notBefore) return;
    isOpening = true;
    notBefore = performance.now() + RETRY_MS;
    try {
      const signal = AbortSignal.timeout(OPEN_MS);
      const { socket } = await pool.upgrade({ path: FRAMES_PATH, protocol: FRAMES_PROTOCOL, signal });
      follow(socket as Socket);
    } catch {
      // Plain HTTP serves meanwhile, and says what is wrong with a replica that is away.
    } finally {
      isOpening = false;
    }
  }

  function follow(socket: Socket): void {
    if (hasLeft) return void socket.destroy();
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    ended = once(socket, 'close').catch(() => undefined);
    const onLeaving = () => {
      connection = undefined;
    };
    connection = createFrameConnection(socket, deadlineMs, { onLeaving, onGoodbye });
  }

  return {
    /** The connection, where there is one now. */
    connection(): FrameConnection | undefined {
      if (!connection) void open();
      return connection;
    },
    /** Resolves when the open batches are answered and the connection has ended. */
    async leave() {
      hasLeft = true;
      connection?.leave();
      await ended;
    },
  };
}

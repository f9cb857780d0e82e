import { setTimeout as delay } from 'node:timers/promises';
import { interrupted } from './interrupt.js';
import { howItEnded, type RunningServer } from './start-server.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
const HEALTHY_AFTER_MS = 60_000;

/** Starts a server again whenever it ends, after a pause that grows until the server has stayed up for a minute. */
export async function keepAlive(server: RunningServer, say: (text: string) => void): Promise<void> {
  const { name } = server;
  for (let pauseMs = FIRST_PAUSE_MS; ; ) {
    const upSince = Date.now();
    const how = howItEnded(await server.exited);
    if (interrupted.aborted) return;
    if (Date.now() - upSince >= HEALTHY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
    say(`${name} ended (${how}); starting it again in ${pauseMs / 1000} s. Log: ${server.log}`);
    await delay(pauseMs);
    if (interrupted.aborted) return;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    const failure = await server.restart().catch((error: Error) => error);
    if (interrupted.aborted) return;
    say(failure ? failure.message : `${name} is back (pid ${server.pid}).`);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { interrupted } from './interrupt.js';
import { howItEnded, type RunningServer } from './start-server.js';

/** Short, so that a killed service answers again within two seconds. */
const PAUSE_MS = 200;

/** Starts a server again whenever it ends. */
export async function keepAlive(server: RunningServer, say: (text: string) => void): Promise<void> {
  while (true) {
    const how = howItEnded(await server.exited);
    if (interrupted.aborted) return;
    say(`${server.name} ended (${how}); starting it again. Log: ${server.log}`);
    await delay(PAUSE_MS);
    if (interrupted.aborted) return;
    const failure = await server.restart().catch((error: Error) => error);
    if (interrupted.aborted) return;
    say(failure ? failure.message : `${server.name} is back (pid ${server.pid}).`);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { interrupted } from './interrupt.js';
import { howItEnded, type RunningServer } from './start-server.js';

/** Starts a server again a second after it ended, as often as it does. */
export async function keepAlive(server: RunningServer, say: (text: string) => void): Promise<void> {
  while (true) {
    const how = howItEnded(await server.exited);
    if (interrupted.aborted) return;
    say(`${server.name} ended (${how}); starting it again in a second. Log: ${server.log}`);
    await delay(1000);
    if (interrupted.aborted) return;
    const failure = await server.restart().catch((error: Error) => error);
    if (interrupted.aborted) return;
    say(failure ? failure.message : `${server.name} is back (pid ${server.pid}).`);
  }
}

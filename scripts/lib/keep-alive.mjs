import { pause } from './interrupt.mjs';
import { waitReady } from './wait-ready.mjs';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const HEALTHY_AFTER_MS = 60_000;

/**
 * Starts a part again whenever it ends by itself, with a pause that grows until it has stayed up for a minute.
 * @param {ReturnType<import('./managed-process.mjs').createManagedProcess>} unit
 * @param {{ signal: AbortSignal, say: (text: string) => void, onNewPid: () => void }} options
 */
export async function keepAlive(unit, { signal, say, onNewPid }) {
  let pauseMs = FIRST_PAUSE_MS;
  let upSince = Date.now();
  const stopping = new Promise((resolve) => signal.addEventListener('abort', resolve));
  for (;;) {
    await Promise.race([unit.exited(), stopping]);
    if (signal.aborted) return;
    if (Date.now() - upSince >= HEALTHY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
    say(`${unit.name} ended (${unit.end}); starting it again in ${pauseMs / 1000} s. Log: ${unit.log}`);
    await pause(pauseMs, signal);
    if (signal.aborted) return;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    unit.start();
    upSince = Date.now();
    onNewPid();
    // One that is slow to get ready is left alone; one that ended comes round again.
    await waitReady(unit, HEALTHY_AFTER_MS, signal).then(
      () => signal.aborted || say(`${unit.name} is back (pid ${unit.pid}).`),
      (failure) => unit.end || say(failure.message),
    );
  }
}

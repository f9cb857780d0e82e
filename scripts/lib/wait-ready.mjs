import { Failure } from './failure.mjs';
import { interrupted, pause, throwIfInterrupted } from './interrupt.mjs';

const POLL_MS = 40;

/**
 * Waits until the process answers; a process that ends instead is told at once, with what it last said.
 * @param {ReturnType<import('./managed-process.mjs').createManagedProcess>} unit
 */
export async function waitReady(unit, timeoutMs = 60_000, signal = interrupted) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (unit.end) {
      throw new Failure(`${unit.name} did not start (${unit.end}).`, { log: unit.log, tail: unit.tail() });
    }
    if (await unit.isReady()) return;
    if (Date.now() > deadline) {
      const waited = `${Math.round(timeoutMs / 1000)} s`;
      throw new Failure(`${unit.name} was not ready within ${waited}.`, { log: unit.log, tail: unit.tail() });
    }
    await pause(POLL_MS, signal);
    if (signal === interrupted) throwIfInterrupted();
    else if (signal.aborted) return;
  }
}

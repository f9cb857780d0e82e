import { Failure } from './failure.js';
import { Interrupted, interrupted, pause } from './interrupt.js';
import type { ProcessEnd, RunningProcess } from './start-process.js';

const POLL_MS = 40;

interface ReadyOptions {
  readonly withinMs?: number;
  readonly log?: string;
  /** Gives up waiting without an error. */
  readonly signal?: AbortSignal;
}

/** Waits until the process is ready; one that ends first is reported immediately, with its last lines. */
export async function whenReady(
  name: string,
  started: RunningProcess,
  isReady: () => Promise<boolean>,
  { withinMs = 180_000, log, signal = interrupted }: ReadyOptions = {},
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isReady())) {
    const end = started.end();
    const why = end ? `did not start (${howItEnded(end)})` : `was not ready within ${withinMs / 1000} s`;
    if (end || Date.now() > deadline) throw new Failure(`${name} ${why}.`, started.output(), log);
    await pause(POLL_MS, signal);
    if (interrupted.aborted) throw new Interrupted();
    if (signal.aborted) return;
  }
}

export const howItEnded = ({ code, signal }: ProcessEnd): string => signal ?? `exit code ${code}`;

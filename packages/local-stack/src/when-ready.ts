import { Failure } from './failure.js';
import { Interrupted, interrupted, pause } from './interrupt.js';
import type { ProcessEnd, RunningProcess } from './start-process.js';

const POLL_MS = 40;

export interface ReadyOptions {
  readonly withinMs?: number;
  readonly log?: string;
  /** Gives up waiting, without a word. */
  readonly signal?: AbortSignal;
}

/** Waits until the process answers; a process that ends instead is told at once, with what it last said. */
export async function whenReady(
  name: string,
  started: RunningProcess,
  isReady: () => Promise<boolean>,
  { withinMs = 180_000, log, signal = interrupted }: ReadyOptions = {},
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isReady())) {
    const end = started.end();
    if (end) throw new Failure(`${name} did not start (${howItEnded(end)}).`, started.output(), log);
    if (Date.now() > deadline)
      throw new Failure(`${name} was not ready within ${withinMs / 1000} s.`, started.output(), log);
    await pause(POLL_MS, signal);
    if (interrupted.aborted) throw new Interrupted();
    if (signal.aborted) return;
  }
}

export const howItEnded = ({ code, signal }: ProcessEnd): string => signal ?? `exit code ${code}`;

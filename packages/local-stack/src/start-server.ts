import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../../scripts/lib/failure.mjs';
import type { ProcessEnd, RunningProcess } from '../../../scripts/lib/start-process.mjs';
import { interrupted } from './interrupt.js';

const READY_WITHIN_MS = 180_000;
/** A long start is asked less and less often: on a busy machine the questions took a second of processor per stack. */
const POLL_MS = { first: 40, last: 200, growth: 1.05 };

export interface ServerPlan {
  readonly name: string;
  launch(): RunningProcess;
  /** Nothing, or a rejection, while it is not. */
  isReady(): Promise<unknown>;
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Starts a server and waits until it is ready, for `npm start` and tests alike. It may be killed and started again. */
export async function startServer({ name, launch, isReady }: ServerPlan) {
  /** One that ends first is reported immediately, with its last lines. */
  async function launchReady(): Promise<RunningProcess> {
    const started = launch();
    const deadline = Date.now() + READY_WITHIN_MS;
    let pauseMs = POLL_MS.first;
    try {
      while (!(await isReady().catch(() => null))) {
        const end = started.end();
        const why = end ? `did not start (${howItEnded(end)})` : 'was not ready in time';
        if (end || Date.now() > deadline) throw new Failure(`${name} ${why}.`, started.output(), started.log);
        await delay(pauseMs);
        pauseMs = Math.min(pauseMs * POLL_MS.growth, POLL_MS.last);
        interrupted.throwIfAborted();
      }
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  let running = await launchReady();
  return {
    name,
    get pid() {
      return running.pid;
    },
    get exited() {
      return running.exited;
    },
    get log() {
      return running.log;
    },
    /** Everything it printed since its last start. */
    output: () => running.output(),
    signal: (signal: NodeJS.Signals): void => running.signal(signal),
    /** Ends it as a crash would. */
    kill: () => running.kill(),
    stop: () => running.stop(),
    /** Starts it again on the same ports, with the same environment and the data that survived. */
    async restart() {
      await running.stop();
      running = await launchReady();
    },
  };
}

export const howItEnded = ({ code, signal }: ProcessEnd): string => signal ?? `exit code ${code}`;

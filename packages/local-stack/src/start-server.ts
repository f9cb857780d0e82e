import { Failure } from '../../../scripts/lib/failure.mjs';
import type { ProcessEnd, RunningProcess } from '../../../scripts/lib/start-process.mjs';
import { eventually } from './eventually.js';
import { interrupted } from './interrupt.js';

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
    const settled = () => interrupted.aborted || started.end() || isReady();
    const isInTime = await eventually(settled).catch(() => false);
    const end = started.end();
    if (isInTime && !end && !interrupted.aborted) return started;
    await started.stop();
    interrupted.throwIfAborted();
    const why = end ? `did not start (${howItEnded(end)})` : 'was not ready in time';
    throw new Failure(`${name} ${why}.`, started.output(), started.log);
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
    log: running.log,
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

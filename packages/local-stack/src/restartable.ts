import type { ProcessEnd, RunningProcess } from './start-process.js';

/** A server of a test's own, which the test may end and bring back. */
export interface Restartable {
  readonly pid: number;
  /** Everything it printed since it was last started. */
  output(): string;
  readonly exited: Promise<ProcessEnd>;
  signal(signal: NodeJS.Signals): void;
  /** As a crash would: nothing is written in farewell. */
  kill(): Promise<ProcessEnd>;
  /** On the same ports, with the same environment and the data that survived. */
  restart(): Promise<void>;
  stop(): Promise<ProcessEnd>;
}

/** Longer than a server takes that is well: a busy machine is not what a test is about. */
const STOP_WITHIN_MS = 120_000;

/** `launch` resolves once the server serves. */
export async function startRestartable(launch: () => Promise<RunningProcess>): Promise<Restartable> {
  let running = await launch();
  const stop = async () => running.end() ?? (await running.stop(STOP_WITHIN_MS));
  return {
    get pid() {
      return running.pid;
    },
    get exited() {
      return running.exited;
    },
    output: () => running.output(),
    signal: (signal) => running.signal(signal),
    kill: () => running.kill(),
    async restart() {
      await stop();
      running = await launch();
    },
    stop,
  };
}

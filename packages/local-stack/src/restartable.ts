import type { RunningProcess } from './start-process.js';

/** Longer than a healthy server needs, because tests keep the machine busy. */
const STOP_WITHIN_MS = 120_000;

/** Starts a server that a test may kill and start again; `launch` resolves once the server is ready. */
export async function startRestartable(launch: () => Promise<RunningProcess>) {
  let running = await launch();
  const stop = () => running.stop(STOP_WITHIN_MS);
  return {
    get pid() {
      return running.pid;
    },
    get exited() {
      return running.exited;
    },
    /** Everything it printed since its last start. */
    output: () => running.output(),
    signal: (signal: NodeJS.Signals): void => running.signal(signal),
    /** Ends it as a crash would. */
    kill: () => running.kill(),
    stop,
    /** Starts it again on the same ports, with the same environment and the data that survived. */
    async restart() {
      await stop();
      running = await launch();
    },
  };
}

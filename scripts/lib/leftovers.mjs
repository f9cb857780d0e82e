import { isStillRunning } from './process-identity.mjs';
import { stopProcess } from './stop-process.mjs';

/** Traffic first, then what serves it, then the queue's consumer, and the stores last: nothing accepted is lost. */
export const STOP_ORDER = ['gateway', 'scoring', 'control-plane', 'worker', 'redis', 'postgres'];

/**
 * Stops what an earlier run left behind when it was killed itself.
 * @param {Record<string, { pid: number, startTime: string }>} processes
 * @returns {Promise<string[]>} the names of those stopped
 */
export async function stopLeftovers(processes) {
  const left = STOP_ORDER.filter((name) => processes[name] && isStillRunning(processes[name]));
  for (const name of left) await stopProcess(name, processes[name]);
  return left;
}

import { Failure } from './failure.mjs';
import { isStillRunning } from './process-identity.mjs';

const KILL_AFTER_MS = 20_000;
const KILL_WAIT_MS = 5_000;

/** Postgres reads SIGTERM as "wait until every client has left"; SIGINT is its orderly stop. @param {string} name */
export const stopSignalOf = (name) => (name === 'postgres' ? 'SIGINT' : 'SIGTERM');

/**
 * Asks, waits, and in the end kills the whole group.
 * @param {string} name
 * @param {{ pid: number, startTime: string }} known
 */
export async function stopProcess(name, known) {
  if (!isStillRunning(known)) return;
  signal(known.pid, stopSignalOf(name));
  if (await isGoneWithin(known, KILL_AFTER_MS)) return;
  killGroup(known.pid);
  if (await isGoneWithin(known, KILL_WAIT_MS)) return;
  throw new Failure(`${name} (pid ${known.pid}) does not stop; end it yourself and start again.`);
}

/** @param {number} pid */
export function killGroup(pid) {
  if (!signal(-pid, 'SIGKILL')) signal(pid, 'SIGKILL');
}

function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function isGoneWithin(known, ms) {
  const deadline = Date.now() + ms;
  while (isStillRunning(known)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

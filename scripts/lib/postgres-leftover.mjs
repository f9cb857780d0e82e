import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';
import { pause } from './interrupt.mjs';
import { startTimeOf } from './process-identity.mjs';
import { stopProcess } from './stop-process.mjs';

const BACKENDS_GONE_MS = 10_000;

/**
 * After a crash the pid file of Postgres stays. A server of this very directory that still runs is stopped. A number
 * that is taken by something else (another program by now, or a dead process nobody has collected) would keep
 * Postgres from starting, so the file goes, but only once no process works in the directory any more: two servers
 * on one directory destroy it. A number that belongs to nobody is left to Postgres itself.
 * @param {string} data
 */
export async function clearPostgresLeftover(data) {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const startTime = startTimeOf(pid);
  if (startTime !== null && commandLineOf(pid).includes(data))
    await stopProcess('postgres', { pid, startTime });
  if (!isNumberTaken(pid)) return;
  const deadline = Date.now() + BACKENDS_GONE_MS;
  while (processesIn(data).length > 0) {
    if (Date.now() > deadline) {
      const left = processesIn(data).join(', ');
      throw new Failure(
        `Processes of an earlier PostgreSQL still work in ${data} (${left}); end them first.`,
      );
    }
    await pause(50);
  }
  rmSync(file, { force: true });
}

function commandLineOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function isNumberTaken(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Postgres and its backends all have the data directory as their working directory. */
function processesIn(directory) {
  if (!existsSync('/proc/self/cwd')) return [];
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === directory;
    } catch {
      return false;
    }
  });
}

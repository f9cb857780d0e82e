import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What tells a process from a later one with the same number: the time it was started. Null when there is none.
 * @param {number} pid
 * @returns {string | null}
 */
export function startTimeOf(pid) {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in brackets may hold spaces and brackets; the fields after the last one are plain.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? null : fields[19];
    } catch {
      return null;
    }
  }
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return ps.status === 0 ? ps.stdout.trim() || null : null;
}

/** @param {{ pid: number, startTime: string }} known */
export const isStillRunning = (known) => startTimeOf(known.pid) === known.startTime;

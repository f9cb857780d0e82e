import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * CPU seconds that processes have used so far, each with all of its children (Postgres works in children).
 * @param {Record<string, number>} pids
 * @returns {Record<string, number>}
 */
export function cpuSeconds(pids) {
  const children = childrenByParent();
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [
      name,
      family(pid, children).reduce((sum, id) => sum + ownCpu(id), 0),
    ]),
  );
}

/** Resident megabytes now, and at most so far. @param {Record<string, number>} pids */
export function residentMegabytes(pids) {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, readResident(pid)]));
}

function readResident(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (field) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return { now: kilobytes('VmRSS') / 1024, peak: kilobytes('VmHWM') / 1024 };
}

function ownCpu(pid) {
  try {
    const fields = statFields(pid);
    // Times of children that have ended are in fields 15 and 16.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** The fields after the command, which may itself hold spaces and brackets. */
function statFields(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function childrenByParent() {
  const children = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const parent = Number(statFields(name)[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // ended meanwhile
    }
  }
  return children;
}

function family(pid, children) {
  return [pid, ...(children.get(pid) ?? []).flatMap((child) => family(child, children))];
}

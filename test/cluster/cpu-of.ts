import { readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second. */
const MICROSECONDS_PER_TICK = 10_000;

/** Microseconds of CPU that a process has used, or null where there is no /proc. */
export function cpuOf(pid: number): number | null {
  try {
    // The name in parentheses may hold spaces; what follows it does not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK;
  } catch {
    return null;
  }
}

import { execFileSync } from 'node:child_process';

/** Memory that a process holds, as the system counts it. */
export function residentBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) * 1024;
}

import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from './failure.js';
import { readJson, writeJson } from './json-file.js';
import { STOP_WITHIN_MS } from './start-process.js';

/** Traffic first, then what serves it, then the queue's consumer, and the stores last: nothing accepted is lost. */
export const STOP_ORDER = ['gateway', 'scoring', 'control-plane', 'worker', 'redis', 'postgres'];

/** Postgres reads SIGTERM as "wait until every client has left"; SIGINT is its orderly stop. */
export const stopSignalOf = (name: string): NodeJS.Signals => (name === 'postgres' ? 'SIGINT' : 'SIGTERM');

interface Known {
  readonly pid: number;
  readonly startTime: string | null;
}

interface Run {
  readonly holder: Known;
  readonly processes: Readonly<Record<string, Known>>;
}

/**
 * The process of this checkout and everything it has started, on disk from the moment of each spawn. A second run is
 * refused, and after a `kill -9` the next one knows which processes to stop.
 */
export type RunFile = Awaited<ReturnType<typeof takeRunFile>>;

export async function takeRunFile(file: string, refusal: (pid: number) => string) {
  const leftBehind: string[] = [];
  while (!makeFile(file)) {
    const { holder, processes = {} } = readJson<Partial<Run>>(file) ?? {};
    if (holder && isRunning(holder)) throw new Failure(refusal(holder.pid));
    for (const name of STOP_ORDER) {
      const left = processes[name];
      if (left && isRunning(left)) leftBehind.push(name);
      if (left) await stopKnown(name, left);
    }
    rmSync(file, { force: true });
  }
  const identify = (pid: number): Known => ({ pid, startTime: startTimeOf(pid) });
  let run: Run = { holder: identify(process.pid), processes: {} };
  writeJson(file, run);
  return {
    /** The names of those that an earlier run had left running; they are stopped by now. */
    leftBehind,
    add(name: string, pid: number) {
      run = { ...run, processes: { ...run.processes, [name]: identify(pid) } };
      writeJson(file, run);
    },
    remove: () => rmSync(file, { force: true }),
  };
}

function makeFile(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The start time, which distinguishes a process from a later one with the same number. Null when there is none. */
function startTimeOf(pid: number): string | null {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || null;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces and brackets; the fields after the last one are plain.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

const isRunning = ({ pid, startTime }: Known): boolean =>
  startTime !== null && startTimeOf(pid) === startTime;

async function stopKnown(name: string, known: Known): Promise<void> {
  for (const signal of [stopSignalOf(name), 'SIGKILL'] as const) {
    const deadline = Date.now() + STOP_WITHIN_MS;
    if (isRunning(known)) process.kill(known.pid, signal);
    while (isRunning(known) && Date.now() < deadline) await delay(20);
  }
  if (isRunning(known))
    throw new Failure(`${name} (pid ${known.pid}) does not stop; end it yourself and start again.`);
}

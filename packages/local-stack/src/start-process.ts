import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly pid: number;
  /** Everything it has printed so far. */
  output(): string;
  /** How it ended, or null while it runs. */
  end(): ProcessEnd | null;
  readonly exited: Promise<ProcessEnd>;
  signal(signal: NodeJS.Signals): void;
  /** SIGKILL, then waits until it is gone. */
  kill(): Promise<ProcessEnd>;
  /** Asks it to stop and waits; one that does not stop in time is killed and reported. */
  stop(withinMs?: number): Promise<ProcessEnd>;
}

export interface ProcessOptions {
  /**
   * Its output goes to this file, and it leads a group of its own: a Ctrl-C in the terminal then reaches only us, and we
   * stop the parts in the order that loses nothing.
   */
  readonly log?: string;
  readonly cwd?: string;
  /** Who runs it, when not we ourselves. */
  readonly account?: { readonly uid: number; readonly gid: number } | null;
  readonly input?: string;
  readonly stopSignal?: NodeJS.Signals;
}

export const STOP_WITHIN_MS = 20_000;
const running = new Set<ChildProcess>();

// Who throws must not leave servers behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function startProcess(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { log, cwd, account, input, stopSignal = 'SIGTERM' }: ProcessOptions = {},
): RunningProcess {
  const file = log === undefined ? null : openLog(log);
  const child = spawn(command, args, {
    env,
    detached: file !== null,
    stdio: [input === undefined ? 'ignore' : 'pipe', file?.descriptor ?? 'pipe', file?.descriptor ?? 'pipe'],
    ...(cwd ? { cwd } : {}),
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  if (file) closeSync(file.descriptor);
  const chunks: Buffer[] = [];
  let end: ProcessEnd | null = null;
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  child.stdin?.on('error', () => {}); // it may end before reading its input; its exit code tells
  child.stdin?.end(input);
  const exited = new Promise<ProcessEnd>((resolve) => {
    const finish = (how: ProcessEnd) => {
      running.delete(child);
      end = how;
      resolve(how);
    };
    child.once('error', (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      finish({ code: null, signal: null });
    });
    // 'close' rather than 'exit': by then the last line has been read.
    child.once('close', (code, signal) => finish({ code, signal }));
  });

  return {
    pid: child.pid ?? -1,
    output: () => Buffer.concat([...(file ? [file.read()] : []), ...chunks]).toString('utf8'),
    end: () => end,
    exited,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      return exited;
    },
    async stop(withinMs = STOP_WITHIN_MS) {
      child.kill(stopSignal);
      const controller = new AbortController();
      const late = delay(withinMs, null, { signal: controller.signal }).catch(() => null);
      const first = await Promise.race([exited, late]);
      controller.abort();
      if (first) return first;
      child.kill('SIGKILL');
      await exited;
      throw new Error(`${command} ${args.join(' ')} did not stop within ${withinMs} ms`);
    },
  };
}

const ROTATE_BYTES = 10 * 1024 * 1024;

/** Opens for appending, one older generation being kept; what others wrote before is not read as this process's. */
function openLog(file: string): { descriptor: number; read(): Buffer } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_BYTES) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, 'a', 0o600);
  const { size } = fstatSync(descriptor);
  return { descriptor, read: () => readFileSync(file).subarray(size) };
}

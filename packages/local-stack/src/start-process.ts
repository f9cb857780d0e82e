import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { onExit } from 'signal-exit';

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  /**
   * Writes the output to this file and makes the process the leader of a new group. A Ctrl-C in the terminal then
   * reaches only us, and we stop the parts in the order that loses nothing.
   */
  readonly log?: string;
  readonly cwd?: string;
  /** The account that runs it, if it is not ours. */
  readonly account?: { readonly uid: number; readonly gid: number } | null;
  readonly input?: string;
  readonly stopSignal?: NodeJS.Signals;
}

export type RunningProcess = ReturnType<typeof startProcess>;

export const STOP_WITHIN_MS = 20_000;
const ROTATE_BYTES = 10 * 1024 * 1024;
const running = new Set<ChildProcess>();

// Kills every child when this process ends, so that no server outlives its test.
onExit(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program and keeps its output. */
export function startProcess(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { log, cwd, account, input, stopSignal = 'SIGTERM' }: ProcessOptions = {},
) {
  const file = log === undefined ? null : openLog(log);
  const out = file?.descriptor ?? 'pipe';
  const child = spawn(command, args, {
    env,
    detached: file !== null,
    stdio: [input === undefined ? 'ignore' : 'pipe', out, out],
    ...(cwd ? { cwd } : {}),
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  if (file) closeSync(file.descriptor);
  running.add(child);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  child.stdin?.on('error', () => {}); // it may end before it reads its input; its exit code says why
  child.stdin?.end(input);
  let end: ProcessEnd | null = null;
  const exited = new Promise<ProcessEnd>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal })); // 'exit' may come before the last line
    child.once('error', ({ message }) => {
      chunks.push(Buffer.from(`${message}\n`));
      resolve({ code: null, signal: null });
    });
  }).then((how) => {
    running.delete(child);
    end = how;
    return how;
  });
  return {
    pid: child.pid ?? -1,
    /** Everything it has printed so far. */
    output: () => Buffer.concat([...(file ? [file.read()] : []), ...chunks]).toString('utf8'),
    /** How it ended, or null while it runs. */
    end: (): ProcessEnd | null => end,
    exited,
    signal: (signal: NodeJS.Signals): void => void child.kill(signal),
    /** Lets our own process end while this one still runs. */
    unref: () => child.unref(),
    /** Sends SIGKILL and waits until the process is gone. */
    kill: () => {
      child.kill('SIGKILL');
      return exited;
    },
    /** Asks it to stop and waits; kills and reports it if it takes too long. */
    async stop(withinMs = STOP_WITHIN_MS) {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = child.kill('SIGKILL');
      }, withinMs);
      child.kill(stopSignal);
      const how = await exited;
      clearTimeout(timer);
      if (isLate) throw new Error(`${command} ${args.join(' ')} did not stop within ${withinMs} ms`);
      return how;
    },
  };
}

/** Opens a log for appending and keeps one older generation. `read` returns only what was written since. */
function openLog(file: string): { descriptor: number; read(): Buffer } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_BYTES) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, 'a', 0o600);
  const { size } = fstatSync(descriptor);
  return { descriptor, read: () => readFileSync(file).subarray(size) };
}

import { type ChildProcess, spawn } from 'node:child_process';
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

const running = new Set<ChildProcess>();

// A test that throws must not leave servers behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function startProcess(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): RunningProcess {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  let end: ProcessEnd | null = null;
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
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
    output: () => Buffer.concat(chunks).toString('utf8'),
    end: () => end,
    exited,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      return exited;
    },
    async stop(withinMs = 20_000) {
      child.kill('SIGTERM');
      const controller = new AbortController();
      const late = delay(withinMs, 'late' as const, { signal: controller.signal }).catch(
        () => 'late' as const,
      );
      const first = await Promise.race([exited, late]);
      controller.abort();
      if (first !== 'late') return first;
      child.kill('SIGKILL');
      await exited;
      throw new Error(`${command} ${args.join(' ')} did not stop within ${withinMs} ms`);
    },
  };
}

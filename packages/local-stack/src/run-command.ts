import { Failure } from './failure.js';
import { Interrupted, interrupted } from './interrupt.js';
import { type ProcessOptions, startProcess } from './start-process.js';

interface CommandOptions extends ProcessOptions {
  /** The first line of the failure. */
  readonly sentence: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly lines?: number;
}

/** Runs a command to its end and returns what it printed. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { sentence, env = process.env, lines, ...options }: CommandOptions,
): Promise<string> {
  if (interrupted.aborted) throw new Interrupted();
  const started = startProcess(command, args, env, options);
  const stop = () => started.signal('SIGTERM');
  interrupted.addEventListener('abort', stop);
  const { code } = await started.exited;
  interrupted.removeEventListener('abort', stop);
  if (interrupted.aborted) throw new Interrupted();
  if (code !== 0) throw new Failure(sentence, started.output(), options.log, lines);
  return started.output();
}

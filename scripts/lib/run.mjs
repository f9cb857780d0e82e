import { Failure } from './failure.mjs';
import { inRoot } from './paths.mjs';
import { startProcess } from './start-process.mjs';

/**
 * Runs a command to its end in the checkout and returns what it printed. A failure is one sentence with the last lines.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('./start-process.mjs').ProcessOptions & { sentence: string, env?: NodeJS.ProcessEnv, lines?: number }} options
 */
export async function run(command, args, { sentence, env = process.env, lines, ...options }) {
  const started = startProcess(command, args, env, { cwd: inRoot(), killSignal: 'SIGTERM', ...options });
  const { code } = await started.exited;
  if (code !== 0) throw new Failure(sentence, started.output(), options.log, lines);
  return started.output();
}

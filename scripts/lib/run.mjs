import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { dataDir, makeDataDirectory, root } from './paths.mjs';

/**
 * Runs a command to its end with its output in `.data/logs`. A failure is reported as one sentence with the last
 * lines.
 * @param {string} command
 * @param {string[]} args
 * @param {{ log: string, sentence: string, env?: NodeJS.ProcessEnv }} options
 */
export async function run(command, args, { log, sentence, env = process.env }) {
  makeDataDirectory();
  const file = path.join(dataDir, 'logs', `${log}.log`);
  const from = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const output = openSync(file, 'a', 0o600);
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', output, output] });
  closeSync(output);
  // Ctrl-C reaches the command too; a signal to us alone would leave it behind.
  const stop = () => {
    child.kill();
    process.exit(143);
  };
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, stop);
  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? null : (signal ?? `exit code ${code}`)));
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.removeListener(signal, stop);
  if (end === null) return;
  const said = readFileSync(file).subarray(from).toString('utf8').trimEnd().split('\n').slice(-12);
  throw new Error([`${sentence} (${end})`, `Log: ${file}`, ...said.map((line) => `  | ${line}`)].join('\n'));
}

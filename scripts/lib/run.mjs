import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { Failure } from './failure.mjs';
import { Interrupted, interrupted, throwIfInterrupted } from './interrupt.mjs';
import { openLog, sizeOf, tailOf } from './log-file.mjs';
import { root } from './paths.mjs';

/**
 * Runs a command to its end with its output in a log; returns its stdout. A failure is told as `sentence`.
 * @param {string} command
 * @param {string[]} args
 * @param {{ log: string, sentence: string, env?: NodeJS.ProcessEnv, cwd?: string, input?: string,
 *   account?: { uid: number, gid: number } | null, secretOutput?: boolean, tailLines?: number }} options
 * @returns {Promise<string>}
 */
export async function run(command, args, options) {
  const {
    log,
    sentence,
    env = process.env,
    cwd = root,
    input,
    account,
    secretOutput = false,
    tailLines,
  } = options;
  throwIfInterrupted();
  const from = sizeOf(log);
  const logFd = openLog(log);
  // A group of its own: an interrupt then ends the command together with whatever it spawned.
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  const endGroup = () => {
    try {
      process.kill(-child.pid, 'SIGTERM');
    } catch {
      // already gone
    }
  };
  interrupted.addEventListener('abort', endGroup);

  const out = [];
  child.stdout.on('data', (chunk) => {
    out.push(chunk);
    if (!secretOutput) writeSync(logFd, chunk);
  });
  child.stderr.on('data', (chunk) => writeSync(logFd, chunk));
  child.stdin?.on('error', () => {}); // it may end before reading its input; its exit code tells
  child.stdin?.end(input);

  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  interrupted.removeEventListener('abort', endGroup);
  closeSync(logFd);
  if (interrupted.aborted) throw new Interrupted();
  if (end.error) throw new Failure(`${sentence} (${command}: ${end.error.message})`);
  if (end.code !== 0) throw new Failure(sentence, { log, tail: tailOf(log, from, tailLines) });
  return Buffer.concat(out).toString('utf8');
}

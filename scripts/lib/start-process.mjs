import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} ProcessOptions
 * @property {string | undefined} [log] Writes the output to this file and makes the process the leader of a new group.
 * A Ctrl-C in the terminal then reaches only us, and we stop the parts in the order that loses nothing.
 * @property {string} [cwd]
 * @property {{ readonly uid: number, readonly gid: number } | null} [account] The account that runs it, if it is not ours.
 * @property {NodeJS.Signals} [stopSignal]
 * @property {NodeJS.Signals} [killSignal] Ends it without delay.
 *
 * @typedef {{ readonly code: number | null, readonly signal: NodeJS.Signals | null }} ProcessEnd
 * @typedef {ReturnType<typeof startProcess>} RunningProcess
 */

/** Longer than a healthy program needs, because tests keep the machine busy. */
const STOP_WITHIN_MS = 120_000;
const ROTATE_BYTES = 10 * 1024 * 1024;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Ends everything that this process has started, so that it can end too. */
export function killAll() {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Starts a program and keeps its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {ProcessOptions} [options]
 */
export function startProcess(command, args, env, options = {}) {
  const { log, cwd, account, stopSignal = 'SIGTERM', killSignal = 'SIGKILL' } = options;
  const file = log === undefined ? null : openLog(log);
  const out = file?.descriptor ?? 'pipe';
  const child = spawn(command, args, {
    // Coverage is of what a test runs in its own process; Node would pass it on where it is not set.
    env: { ...env, NODE_V8_COVERAGE: '' },
    detached: file !== null,
    stdio: ['ignore', out, out],
    ...(cwd ? { cwd } : {}),
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  if (file) closeSync(file.descriptor);
  running.add(child);
  const release = child.pid === undefined ? () => {} : guard(file ? -child.pid : child.pid, killSignal);
  /** @type {Buffer[]} */
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  child.once('error', ({ message }) => chunks.push(Buffer.from(`${message}\n`)));
  /** @type {ProcessEnd | null} */
  let end = null;
  /** @type {Promise<ProcessEnd>} */
  const exited = new Promise((resolve) => {
    // After an error too; 'exit' may come before the last line.
    child.once('close', (code, signal) => {
      release();
      running.delete(child);
      end = { code, signal };
      resolve(end);
    });
  });
  return {
    pid: child.pid ?? -1,
    log,
    /** Everything it has printed so far. */
    output: () => Buffer.concat([...(file ? [file.read()] : []), ...chunks]).toString('utf8'),
    /** How it ended, or null while it runs. @returns {ProcessEnd | null} */
    end: () => end,
    exited,
    /** @param {NodeJS.Signals} signal */
    signal: (signal) => void child.kill(signal),
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

/**
 * Kills the process, or the group behind a negative number, when ours ends in any way, `kill -9` included: a shell
 * outside our group waits until its input closes. Returns how to dismiss the shell.
 * @param {number} pid @param {NodeJS.Signals} signal
 */
function guard(pid, signal) {
  const script = 'read -r _ || kill -s "$1" -- "$2"';
  const shell = spawn('/bin/sh', ['-c', script, 'sh', signal.slice(3), String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  const input = /** @type {import('node:net').Socket} */ (shell.stdin);
  input.on('error', () => {}).unref();
  return () => void input.end('ended\n');
}

/** Opens a log for appending and keeps one older generation. `read` returns only what was written since. @param {string} file */
function openLog(file) {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_BYTES) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, 'a', 0o600);
  const { size } = fstatSync(descriptor);
  return { descriptor, read: () => readFileSync(file).subarray(size) };
}

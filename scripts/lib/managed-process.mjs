import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { openLog, sizeOf, tailOf } from './log-file.mjs';
import { startTimeOf } from './process-identity.mjs';
import { killGroup, stopProcess } from './stop-process.mjs';

/**
 * A process of the stack, with its output in a log of its own. It leads its own group: a Ctrl-C in the terminal
 * reaches only us, and we stop the parts in the order that loses nothing.
 * @param {{ name: string, command: string, args: string[], env: NodeJS.ProcessEnv, cwd: string, log: string,
 *   account?: { uid: number, gid: number } | null, isReady: (pid: number) => Promise<boolean> }} spec
 * @param {{ add: (name: string, pid: number) => void }} runFile
 */
export function createManagedProcess(spec, runFile) {
  /** @type {{ pid: number, startTime: string } | null} */
  let known = null;
  let end = null;
  let exited = Promise.resolve();
  let logFrom = 0;

  return {
    name: spec.name,
    log: spec.log,
    isReady: () => spec.isReady(known.pid),
    get pid() {
      return known?.pid;
    },
    /** How it ended, or null while it runs. */
    get end() {
      return end;
    },
    exited: () => exited,
    tail: () => tailOf(spec.log, logFrom),

    start() {
      logFrom = sizeOf(spec.log);
      const logFd = openLog(spec.log);
      end = null;
      const child = spawn(spec.command, spec.args, {
        cwd: spec.cwd,
        env: spec.env,
        detached: true,
        stdio: ['ignore', logFd, logFd],
        ...(spec.account ? { uid: spec.account.uid, gid: spec.account.gid } : {}),
      });
      closeSync(logFd);
      exited = new Promise((resolve) => {
        const finish = (how) => {
          end = how;
          resolve();
        };
        child.once('error', (error) => finish(error.message));
        child.once('exit', (code, signal) => finish(signal ?? `exit code ${code}`));
      });
      if (child.pid === undefined) return;
      known = { pid: child.pid, startTime: startTimeOf(child.pid) };
      runFile.add(spec.name, child.pid);
    },

    async stop() {
      if (!known || end) return;
      await stopProcess(spec.name, known);
      await exited;
    },

    kill() {
      if (known && !end) killGroup(known.pid);
    },
  };
}

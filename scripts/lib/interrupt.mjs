import { Failure } from './failure.mjs';

const controller = new AbortController();

/** Aborted by the first Ctrl-C, SIGTERM or SIGHUP. */
export const interrupted = controller.signal;

/** npm passes the terminal's Ctrl-C on, so one key press arrives twice; only a later one means "now". */
const SAME_PRESS_MS = 1000;

/** @param {{ onForce: () => void }} options */
export function listenForInterrupt({ onForce }) {
  let firstAt = 0;
  const hear = () => {
    if (!interrupted.aborted) {
      firstAt = Date.now();
      controller.abort();
    } else if (Date.now() - firstAt > SAME_PRESS_MS) {
      onForce();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, hear);
  if (process.env.npm_lifecycle_event) watchParent(hear);
  // A closed terminal must not turn the orderly stop into a crash on the next line printed.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** npm that is killed outright can pass no signal on; nobody would be left to stop us. */
function watchParent(onGone) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
}

export class Interrupted extends Failure {
  constructor() {
    super('Interrupted.');
  }
}

export function throwIfInterrupted() {
  if (interrupted.aborted) throw new Interrupted();
}

/**
 * Resolves after the time or as soon as the signal aborts, whichever is first.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(ms, signal = interrupted) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

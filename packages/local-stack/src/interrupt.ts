import { Failure } from '../../../scripts/lib/failure.mjs';

const controller = new AbortController();

/** Aborted by the first Ctrl-C, SIGTERM or SIGHUP, or by `interrupt`. */
export const interrupted = controller.signal;
export const interrupt = (): void => controller.abort(new Failure('Interrupted.'));

/** npm passes the terminal's Ctrl-C on, so one key press arrives twice; only a later one means "now". */
const SAME_PRESS_MS = 1000;

/** Hears the first signal as a wish to stop; a second one ends the process. */
export function listenForInterrupt(): void {
  let firstAt = 0;
  const hear = () => {
    if (interrupted.aborted && Date.now() - firstAt > SAME_PRESS_MS) process.exit(130);
    firstAt ||= Date.now();
    interrupt();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, hear);
  // A closed terminal must not turn the orderly stop into a crash on the next line printed.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (!process.env.npm_lifecycle_event) return;
  // A killed npm passes no signal on, so nothing else would stop us.
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    hear();
  }, 500).unref();
}

import { onAbort } from './on-abort.js';
import { VerdictError } from './verdict-error.js';

/** The time that one call may take in all, tries and waits together, and the caller's own wish to stop. */
export interface Deadline {
  /** Fires at the deadline or when the caller aborts. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Ends early with what ended the call. */
  sleep(ms: number): Promise<void>;
  /** The reason that ended the call, or null while it runs. */
  ending(cause?: unknown): VerdictError | null;
  /** The reason of a call that ends because too little time is left. */
  exceeded(cause?: unknown): VerdictError;
  clear(): void;
}

export function startDeadline(deadlineMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const startedAt = performance.now();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, deadlineMs);
  const forget = caller ? onAbort(caller, stop) : undefined;
  if (caller?.aborted) stop();

  const exceeded = (cause?: unknown) =>
    caller?.aborted
      ? new VerdictError('The call was aborted.', { code: 'aborted' }, { cause: caller.reason })
      : new VerdictError(
          `No answer within the deadline of ${deadlineMs} ms.`,
          { code: 'deadline_exceeded' },
          { cause },
        );
  const ending = (cause?: unknown): VerdictError | null =>
    controller.signal.aborted ? exceeded(cause) : null;

  return {
    signal: controller.signal,
    remainingMs: () => deadlineMs - (performance.now() - startedAt),
    sleep: (ms) =>
      new Promise((resolve, reject) => {
        const done = () => {
          clearTimeout(waiting);
          controller.signal.removeEventListener('abort', ended);
        };
        const ended = () => {
          done();
          reject(ending());
        };
        const waiting = setTimeout(() => {
          done();
          resolve();
        }, ms);
        if (controller.signal.aborted) ended();
        else controller.signal.addEventListener('abort', ended, { once: true });
      }),
    ending,
    exceeded,
    clear() {
      clearTimeout(timer);
      forget?.();
    },
  };
}

import { readBaseUrl } from './base-url.js';
import { setting } from './config.js';
import { startDeadline } from './deadline.js';
import type { IsAnswer } from './is-answer.js';
import type { Upload } from './job-file.js';
import { createOnceKeys } from './once-keys.js';
import type { CallOptions, VerdictOptions } from './options.js';
import { createPlaces, type Pace } from './places.js';
import { positive } from './positive.js';
import { createRetryBreaker } from './retry-breaker.js';
import { retryDelayMs } from './retry-delay.js';
import { type ApiAnswer, type Fetch, sendOnce } from './send-once.js';
import { userAgent } from './user-agent.js';
import { VerdictError } from './verdict-error.js';

const TOO_MANY = 429;
const ONCE_HEADER = 'idempotency-key';
const DROPPED_HEADER = 'verdict-dropped-ips';
/** With less than this part of a try's time left, a call is not sent any more. */
const TOO_LATE = 0.1;

/** One request to the API. */
export interface Call<T> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly isAnswer: IsAnswer<T>;
  readonly json?: unknown;
  readonly upload?: Upload & { readonly type: string };
  /** Where a try may take longer than others. */
  readonly timeoutMs?: number;
  /** Without a key it might count twice when it is sent twice. */
  readonly isCharged?: boolean;
  /** A person waits for it, so it is not repeated while most calls of its kind fail. */
  readonly isInteractive?: boolean;
  /** One of the caller's own: it is sent, or the call fails. */
  readonly idempotencyKey?: string | undefined;
  /** Values of `ip` that were left out of it; the server shows their number by key. */
  readonly droppedIps?: number;
  /** True once the caller no longer waits. */
  readonly isGivenUp?: () => boolean;
}

export type SendCall = ReturnType<typeof createSendCall>;

/** Sends a call until it is answered, refused for good, or out of tries or time. */
export function createSendCall(client: Omit<VerdictOptions, 'fallback'>, defaultTimeoutMs: number) {
  let baseUrl = client.baseUrl === undefined ? undefined : readBaseUrl(client.baseUrl);
  const defaultDeadlineMs = positive('deadlineMs', client.deadlineMs ?? 3_000);
  const defaultRetries = readRetries(client.retries ?? 2);
  const onceKeys = createOnceKeys(client.idempotency ?? true, Date.now);
  const concurrency = readConcurrency(client.concurrency ?? 64);
  const places = createPlaces(concurrency);
  const breaker = createRetryBreaker();
  const agent = userAgent();
  const fetchOnce: Fetch = client.fetch ?? ((url, init) => fetch(url, init));

  return async <T>(call: Call<T>, options: CallOptions): Promise<ApiAnswer<T>> => {
    const apiKey = client.apiKey || setting('VERDICT_API_KEY');
    if (!apiKey) throw notConfigured('VERDICT_API_KEY', 'apiKey');
    const address = baseUrl ?? setting('VERDICT_URL');
    if (!address) throw notConfigured('VERDICT_URL', 'baseUrl');
    baseUrl ??= readBaseUrl(address);
    const retries = options.retries === undefined ? defaultRetries : readRetries(options.retries);
    const timeoutMs = positive('timeoutMs', options.timeoutMs ?? call.timeoutMs ?? defaultTimeoutMs);
    const deadlineMs = positive('deadlineMs', options.deadlineMs ?? defaultDeadlineMs);
    const deadline = startDeadline(deadlineMs, options.signal);
    let ownKey = call.isCharged && !call.idempotencyKey ? onceKeys.next() : undefined;
    const headers = headersOf(call, { agent, apiKey, once: call.idempotencyKey ?? ownKey });
    const text = call.json === undefined ? undefined : JSON.stringify(call.json);
    const request = {
      method: call.method,
      url: `${baseUrl}${call.path}`,
      headers,
      open: call.upload?.open ?? (text === undefined ? undefined : () => text),
      isAnswer: call.isAnswer,
    };
    let isSent = false;
    // The time of a try begins with its place, so that waiting costs the deadline only.
    const sendInTurn = async (): Promise<ApiAnswer<T>> => {
      isSent = false;
      const isQueued = places.isFull();
      const unsent = () => {
        const ending = deadline.exceeded();
        return isQueued && ending.code !== 'aborted' ? queueTimeout(concurrency, deadlineMs) : ending;
      };
      if (!(await places.take(deadline.signal))) throw unsent();
      let pace: Pace = 'unknown';
      const sentAt = performance.now();
      const answeredPace = (): Pace => (performance.now() - sentAt < timeoutMs / 2 ? 'prompt' : 'slow');
      try {
        // An answer after the deadline is charged but never read.
        if (deadline.remainingMs() < Math.min(timeoutMs, deadlineMs) * TOO_LATE) throw unsent();
        isSent = true;
        const answer = await sendOnce<T>(fetchOnce, request, timeoutMs, deadline);
        pace = answeredPace();
        if (call.isInteractive) breaker.record(false);
        return answer;
      } catch (error) {
        if (!isSent || !(error instanceof VerdictError)) throw error;
        if (error.status > 0) pace = answeredPace();
        else if (error.code !== 'network_error' && error.code !== 'aborted') pace = 'late';
        if (call.isInteractive) breaker.record(error.validatorUnavailable && error.status !== TOO_MANY);
        throw error;
      } finally {
        places.release(pace);
      }
    };
    let last: VerdictError | undefined;
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await sendInTurn();
        } catch (error) {
          if (!(error instanceof VerdictError)) throw error;
          // It was sent before, and what came of that says more.
          if (last && !isSent && error.code !== 'aborted') throw last;
          last = error;
          if (ownKey && error.code === 'idempotency_limit') {
            // Nothing of this call was admitted or will be under its key, so it continues without one.
            onceKeys.pause(error.retryAfterSeconds ?? 0);
            ownKey = undefined;
            delete headers[ONCE_HEADER];
            attempt--;
            continue;
          }
          const mayHaveCounted =
            call.isCharged && !call.idempotencyKey && !ownKey && error.status !== TOO_MANY;
          if (!error.retryable || attempt >= retries || mayHaveCounted || call.isGivenUp?.()) throw error;
          if (call.isInteractive && error.status !== TOO_MANY && breaker.isOpen()) throw error;
          const waitMs = retryDelayMs(attempt, error.retryAfterSeconds, Math.random);
          // Waiting past the deadline would only turn a clear reason into a vague one.
          if (waitMs >= deadline.remainingMs()) throw error;
          await deadline.sleep(waitMs);
        }
      }
    } finally {
      deadline.clear();
    }
  };
}

function headersOf(
  call: Pick<Call<unknown>, 'upload' | 'json' | 'droppedIps'>,
  { agent, apiKey, once }: { agent: string; apiKey: string; once: string | undefined },
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': agent,
    'x-api-key': apiKey,
  };
  if (once) headers[ONCE_HEADER] = once;
  if (call.droppedIps) headers[DROPPED_HEADER] = String(call.droppedIps);
  const type = call.upload?.type ?? (call.json === undefined ? undefined : 'application/json');
  if (type) headers['content-type'] = type;
  return headers;
}

/** Told by the first call and not where the client is made: frameworks load modules while they build, without secrets. */
const notConfigured = (variable: string, option: string) =>
  new VerdictError(`Set ${variable}, or give the client the option ${option}.`, { code: 'not_configured' });

const queueTimeout = (concurrency: number, deadlineMs: number) =>
  new VerdictError(
    `${concurrency} requests were running until the deadline of ${deadlineMs} ms, so this one was not sent.`,
    { code: 'queue_timeout' },
  );

function readConcurrency(value: number): number {
  if (!(value >= 1)) throw new TypeError('concurrency must be 1 or more');
  return value;
}

function readRetries(value: number): number {
  if (!(value >= 0)) throw new TypeError('retries must be 0 or more');
  return value;
}

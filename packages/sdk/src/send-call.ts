import { readBaseUrl } from './base-url.js';
import { setting } from './config.js';
import { startDeadline } from './deadline.js';
import type { IsAnswer } from './is-answer.js';
import type { Upload } from './job-file.js';
import { createOnceKeys } from './once-keys.js';
import type { CallOptions, VerdictOptions } from './options.js';
import { positive } from './positive.js';
import { retryDelayMs } from './retry-delay.js';
import { type ApiAnswer, type Fetch, sendOnce } from './send-once.js';
import { VerdictError } from './verdict-error.js';

const TOO_MANY = 429;
const ONCE_HEADER = 'idempotency-key';

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
  /** One of the caller's own: it is sent, or the call fails. */
  readonly idempotencyKey?: string | undefined;
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
  const fetchOnce: Fetch = client.fetch ?? ((url, init) => fetch(url, init));

  return async <T>(call: Call<T>, options: CallOptions): Promise<ApiAnswer<T>> => {
    const apiKey = client.apiKey || setting('VERDICT_API_KEY');
    if (!apiKey) throw notConfigured('VERDICT_API_KEY', 'apiKey');
    const address = baseUrl ?? setting('VERDICT_URL');
    if (!address) throw notConfigured('VERDICT_URL', 'baseUrl');
    baseUrl ??= readBaseUrl(address);
    const retries = options.retries === undefined ? defaultRetries : readRetries(options.retries);
    const timeoutMs = positive('timeoutMs', options.timeoutMs ?? call.timeoutMs ?? defaultTimeoutMs);
    const deadline = startDeadline(
      positive('deadlineMs', options.deadlineMs ?? defaultDeadlineMs),
      options.signal,
    );
    let ownKey = call.isCharged && !call.idempotencyKey ? onceKeys.next() : undefined;
    const headers: Record<string, string> = { accept: 'application/json', 'x-api-key': apiKey };
    const once = call.idempotencyKey ?? ownKey;
    if (once) headers[ONCE_HEADER] = once;
    const type = call.upload?.type ?? (call.json === undefined ? undefined : 'application/json');
    if (type) headers['content-type'] = type;
    const text = call.json === undefined ? undefined : JSON.stringify(call.json);
    const request = {
      method: call.method,
      url: `${baseUrl}${call.path}`,
      headers,
      open: call.upload?.open ?? (text === undefined ? undefined : () => text),
      isAnswer: call.isAnswer,
    };
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await sendOnce<T>(fetchOnce, request, timeoutMs, deadline);
        } catch (error) {
          if (!(error instanceof VerdictError)) throw error;
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

/** Told by the first call and not where the client is made: frameworks load modules while they build, without secrets. */
const notConfigured = (variable: string, option: string) =>
  new VerdictError(`Set ${variable}, or give the client the option ${option}.`, { code: 'not_configured' });

function readRetries(value: number): number {
  if (!(value >= 0)) throw new TypeError('retries must be 0 or more');
  return value;
}

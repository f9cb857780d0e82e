import type { Deadline } from './deadline.js';
import { readLimits, readNumber } from './read-limits.js';
import type { FieldError, Limits } from './types.js';
import { VerdictError } from './verdict-error.js';

/** As much of `fetch` as is used, so that another implementation can be handed in. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a body may be that is sent as it is. */
export type RawBody = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RawBody;
}

export interface ApiAnswer<T> {
  readonly body: T;
  readonly limits: Limits;
}

interface ErrorBody {
  error?: string;
  code?: string;
  errors?: FieldError[];
  checks_used?: number;
  checks_limit?: number;
}

/** One try: an answer of the API, or a VerdictError that says what happened instead. */
export async function sendOnce<T>(
  fetch: Fetch,
  request: ApiRequest,
  timeoutMs: number,
  deadline: Deadline,
): Promise<ApiAnswer<T>> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, timeoutMs);
  deadline.signal.addEventListener('abort', stop, { once: true });
  if (deadline.signal.aborted) stop();
  let response: Response;
  let text: string;
  try {
    // A redirect would carry the key to an address that nobody configured.
    response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      // Node wants to be told that a stream is sent before its answer is read.
      ...(request.body instanceof ReadableStream && { duplex: 'half' }),
      redirect: 'error',
      signal: controller.signal,
    });
    text = await response.text();
  } catch (cause) {
    throw (
      deadline.ending(cause) ??
      (controller.signal.aborted
        ? new VerdictError(`No answer within ${timeoutMs} ms.`, { code: 'timeout' }, { cause })
        : new VerdictError('The service could not be reached.', { code: 'network_error' }, { cause }))
    );
  } finally {
    clearTimeout(timer);
    deadline.signal.removeEventListener('abort', stop);
  }
  return readAnswer<T>(response, text);
}

function readAnswer<T>(response: Response, text: string): ApiAnswer<T> {
  const { headers, status } = response;
  const limits = readLimits(headers);
  const requestId = headers.get('x-request-id');
  const body = parse(text);
  if (response.ok && body !== undefined) return { body: body as T, limits };
  const refusal = (body ?? {}) as ErrorBody;
  throw new VerdictError(refusal.error ?? `The service answered ${status} without a readable body.`, {
    code: refusal.code ?? 'not_json',
    status,
    requestId,
    retryAfterSeconds: readNumber(headers, 'retry-after'),
    limits,
    errors: refusal.errors ?? [],
    checksUsed: refusal.checks_used ?? null,
    checksLimit: refusal.checks_limit ?? null,
  });
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

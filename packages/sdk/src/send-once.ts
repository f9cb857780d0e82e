import type { FieldError } from './answers.js';
import type { Deadline } from './deadline.js';
import { type Fields, type IsAnswer, isFields } from './is-answer.js';
import type { SentBody } from './job-file.js';
import { readLimits, readRetryAfter } from './read-limits.js';
import type { Limits } from './types.js';
import { VerdictError } from './verdict-error.js';

/** As much of `fetch` as is used, so that another implementation can be handed in. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ApiRequest<T> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Opens the body; `fail` receives what is wrong with its source. */
  readonly open?: ((fail: (error: unknown) => void) => SentBody) | undefined;
  readonly isAnswer: IsAnswer<T>;
}

export interface ApiAnswer<T> {
  readonly body: T;
  readonly limits: Limits;
}

/** One try: an answer of the API, or a VerdictError that says what happened instead. An error of the body's source is thrown as it is. */
export async function sendOnce<T>(
  fetch: Fetch,
  request: ApiRequest<T>,
  timeoutMs: number,
  deadline: Deadline,
): Promise<ApiAnswer<T>> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // In halves: after a pause of this process the answer that waits in the socket is read before the second one ends.
  let timer = setTimeout(() => {
    timer = setTimeout(stop, timeoutMs / 2);
  }, timeoutMs / 2);
  deadline.signal.addEventListener('abort', stop, { once: true });
  if (deadline.signal.aborted) stop();
  let failure: { readonly error: unknown } | undefined;
  const body = request.open?.((error) => {
    failure = { error };
  });
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: (body ?? null) as NonNullable<RequestInit['body']> | null,
      // Node requires this option before a stream is sent.
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      // Followed, it would carry the key to an address that nobody configured.
      redirect: 'manual',
      signal: controller.signal,
    });
    return readAnswer(response, await response.text(), request);
  } catch (cause) {
    if (cause instanceof VerdictError) throw cause;
    if (failure) throw failure.error;
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
}

function readAnswer<T>(response: Response, text: string, { url, isAnswer }: ApiRequest<T>): ApiAnswer<T> {
  const { headers, status } = response;
  const limits = readLimits(headers);
  const detail = {
    status,
    limits,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(headers, Date.now()),
  };
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    throw new VerdictError(
      `baseUrl leads elsewhere: ${new URL(url).origin} redirects to ${targetOf(headers, url)}. The key was not sent there.`,
      { ...detail, code: 'redirected' },
    );
  }
  const body = parse(text);
  if (body === undefined) {
    const message = `Something other than the API answered ${status}: its answer is not JSON.`;
    throw new VerdictError(message, { ...detail, code: 'not_json' });
  }
  if (isFields(body)) {
    if (response.ok && isAnswer(body)) return { body, limits };
    if (!response.ok && isRefusal(body)) {
      throw new VerdictError(body.error, {
        ...detail,
        code: body.code,
        errors: body.errors ?? [],
        checksUsed: body.checks_used ?? null,
        checksLimit: body.checks_limit ?? null,
      });
    }
  }
  const message = `Something other than the API answered ${status}: its JSON is not an answer to this call.`;
  throw new VerdictError(message, { ...detail, code: 'bad_answer' });
}

interface Refusal {
  error: string;
  code: string;
  errors?: FieldError[];
  checks_used?: number;
  checks_limit?: number;
}

const isRefusal = (body: Fields): body is Fields & Refusal =>
  typeof body.error === 'string' && typeof body.code === 'string';

function targetOf(headers: Headers, url: string): string {
  const location = headers.get('location') ?? '';
  return location && URL.canParse(location, url) ? new URL(location, url).origin : 'another address';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

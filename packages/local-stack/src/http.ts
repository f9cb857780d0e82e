import { request } from 'undici';

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, for what JSON.stringify would never write. */
  readonly body?: string | Buffer;
}

export type HttpAnswer<T> = Awaited<ReturnType<typeof http<T>>>;

export async function http<T = Record<string, unknown>>(
  url: string,
  { method, headers = {}, json, body }: HttpRequest = {},
) {
  const hasBody = json !== undefined || body !== undefined;
  const answer = await request(url, {
    method: method ?? (hasBody ? 'POST' : 'GET'),
    headers: json === undefined ? headers : { 'content-type': 'application/json', ...headers },
    body: json === undefined ? (body ?? null) : JSON.stringify(json),
  });
  const text = await answer.body.text();
  const isJson = /[/+]json\b/.test(String(answer.headers['content-type'] ?? ''));
  return {
    status: answer.statusCode,
    headers: answer.headers,
    /** Parsed when it is JSON, else the text. */
    body: (isJson && text !== '' ? JSON.parse(text) : text) as T,
    text,
  };
}

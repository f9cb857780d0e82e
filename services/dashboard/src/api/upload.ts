import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import { ApiError } from './api-error.ts';
import type { QueryFor, Reply } from './call.ts';
import { connection } from './connection.ts';
import { searchOf } from './search-of.ts';
import { session } from './session.ts';

interface UploadOptions {
  readonly file: File;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Of the whole, between 0 and 1. */
  readonly onProgress?: (share: number) => void;
}

type UploadCall = 'POST /jobs/';

/** Sends a file with the session and tells how much of it has left, which `fetch` does not. */
export async function upload<C extends UploadCall>(
  call: C,
  { query, ...options }: UploadOptions & { readonly query: QueryFor<C> },
): Promise<Reply<C>> {
  const path = `${call.slice(call.indexOf('/'))}${searchOf(query)}`;
  const used = session.access;
  let response = await attempt(path, options, used);
  if (response.status === 401 && (await session.renew(used))) {
    response = await attempt(path, options, session.access);
  }
  if (!response.ok) throw await ApiError.from(response);
  return (await response.json()) as Reply<C>;
}

function attempt(
  path: string,
  { file, type, headers = {}, signal, onProgress }: UploadOptions,
  access: string | null,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const exchange = new XMLHttpRequest();
    exchange.open('POST', `${API_PREFIX}${path}`);
    const sent = {
      ...headers,
      'content-type': type,
      ...(access ? { authorization: `Bearer ${access}` } : {}),
    };
    for (const [name, value] of Object.entries(sent)) exchange.setRequestHeader(name, value);
    exchange.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 1 : loaded / total);
    exchange.onload = () => {
      connection.answered();
      const requestId = exchange.getResponseHeader('x-request-id');
      resolve(
        new Response(exchange.responseText, {
          status: exchange.status,
          headers: requestId ? { 'x-request-id': requestId } : {},
        }),
      );
    };
    exchange.onerror = () => {
      connection.failed();
      reject(ApiError.unreachable());
    };
    exchange.onabort = () => reject(signal?.reason ?? ApiError.unreachable());
    signal?.addEventListener('abort', () => exchange.abort(), { once: true });
    exchange.send(file);
  });
}

import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import { ApiError } from './api-error.ts';
import { type Query, searchOf } from './search-of.ts';
import { send } from './send.ts';
import { session } from './session.ts';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Query;
  readonly json?: unknown;
  readonly csv?: Blob;
  readonly signal?: AbortSignal;
}

/** `path` is relative to /api/v1; what comes back is what the contract of the path says. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await requestRaw(path, options);
  return (await response.json()) as T;
}

/** The answer itself, for files that are read as they arrive. */
export async function requestRaw(path: string, options: RequestOptions = {}): Promise<Response> {
  const used = session.access;
  let response = await attempt(path, options, used);
  if (response.status === 401 && (await session.renew(used))) {
    response = await attempt(path, options, session.access);
  }
  if (!response.ok) throw await ApiError.from(response);
  return response;
}

function attempt(
  path: string,
  { method, query, json, csv, signal }: RequestOptions,
  access: string | null,
): Promise<Response> {
  const headers: Record<string, string> = {};
  if (access) headers.authorization = `Bearer ${access}`;
  if (json !== undefined) headers['content-type'] = 'application/json';
  if (csv) headers['content-type'] = 'text/csv';
  return send(`${API_PREFIX}${path}${searchOf(query)}`, {
    method: method ?? 'GET',
    headers,
    ...(csv ? { body: csv } : json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(signal ? { signal } : {}),
  });
}

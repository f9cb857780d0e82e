import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import { ApiError } from './api-error.ts';
import { type Query, searchOf } from './search-of.ts';
import { send } from './send.ts';
import { session } from './session.ts';

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v1. */
  readonly path: string;
  readonly query?: Query;
  readonly json?: unknown;
  readonly csv?: Blob;
  readonly signal?: AbortSignal;
}

/** Sends a request with the session. The answer is read by whoever asked, because a file is read as it arrives. */
export async function requestRaw(request: Request): Promise<Response> {
  const used = session.access;
  let response = await attempt(request, used);
  if (response.status === 401 && (await session.renew(used))) {
    response = await attempt(request, session.access);
  }
  if (!response.ok) throw await ApiError.from(response);
  return response;
}

function attempt(
  { method, path, query, json, csv, signal }: Request,
  access: string | null,
): Promise<Response> {
  const headers: Record<string, string> = {};
  if (access) headers.authorization = `Bearer ${access}`;
  if (json !== undefined) headers['content-type'] = 'application/json';
  if (csv) headers['content-type'] = 'text/csv';
  return send(`${API_PREFIX}${path}${searchOf(query)}`, {
    method,
    headers,
    ...(csv ? { body: csv } : json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(signal ? { signal } : {}),
  });
}

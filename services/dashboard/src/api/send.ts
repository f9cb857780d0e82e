import { ApiError, isAway } from './api-error.ts';
import { connection } from './connection.ts';

/** One HTTP exchange: any answer comes back, no answer is an ApiError. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    connection.failed();
    throw ApiError.unreachable();
  }
  // A page that cannot be read is as good as away. A refused change says so itself.
  if (isAway(response.status) && (init.method ?? 'GET') === 'GET') connection.failed();
  else connection.answered();
  return response;
}

export const jsonBody = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

import type { Replica } from './replicas.js';

/** A replica understood the request and refused it, as every other would. */
export class ScoringRefused extends Error {
  override name = 'ScoringRefused';
}

export interface Question {
  readonly path: string;
  /** A POST of this, or else a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborted when the caller has gone. */
  readonly signal?: AbortSignal | undefined;
}

/** The JSON that a replica answers to a question. */
export async function askReplica(
  { url, pool }: Replica,
  timeoutMs: number,
  { path, body, headers, signal }: Question,
): Promise<unknown> {
  const late = AbortSignal.timeout(timeoutMs);
  const answer = await pool
    .request({
      path,
      signal: signal ? AbortSignal.any([late, signal]) : late,
      ...(body
        ? {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }
        : { method: 'GET' }),
    })
    .catch(() => {
      signal?.throwIfAborted();
      throw new Error(`scoring does not answer at ${url}`);
    });
  if (answer.statusCode === 200) return answer.body.json();
  const { error } = (await answer.body.json().catch(() => ({}))) as { error?: string };
  const message = error ?? `scoring at ${url} answered ${answer.statusCode}`;
  throw answer.statusCode < 500 ? new ScoringRefused(message) : new Error(message);
}

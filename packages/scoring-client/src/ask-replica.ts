import type { Replica } from './replicas.js';

/** A replica understood the request and refused it, as every other would. */
export class ScoringRefused extends Error {
  override name = 'ScoringRefused';
}

/** The JSON that a replica answers to a GET, or to a POST of a body. */
export async function askReplica(
  { url, pool }: Replica,
  timeoutMs: number,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await pool
    .request({
      path,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body
        ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        : { method: 'GET' }),
    })
    .catch(() => {
      throw new Error(`scoring does not answer at ${url}`);
    });
  if (answer.statusCode === 200) return answer.body.json();
  const { error } = (await answer.body.json().catch(() => ({}))) as { error?: string };
  const message = error ?? `scoring at ${url} answered ${answer.statusCode}`;
  throw answer.statusCode < 500 ? new ScoringRefused(message) : new Error(message);
}

import { scoringUrl } from './config.js';

const TIMEOUT_MS = 15_000;

/** Asks a running replica (SCORING_URLS) and passes on its refusal. */
export async function askScoring<T>(path: string, body?: unknown): Promise<T> {
  const url = new URL(path, scoringUrl());
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => null);
  if (answer === null) throw new Error(`scoring does not answer at ${url.origin}`);
  if (answer.ok) return (await answer.json()) as T;
  const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
  throw new Error(error ?? `scoring at ${url.origin} answered ${answer.status}`);
}

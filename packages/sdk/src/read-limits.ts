import type { Limits } from './types.js';

export function readLimits(headers: Headers): Limits {
  return {
    rateLimit: readNumber(headers, 'ratelimit-limit'),
    rateRemaining: readNumber(headers, 'ratelimit-remaining'),
    quotaLimit: readNumber(headers, 'x-quota-limit'),
    quotaRemaining: readNumber(headers, 'x-quota-remaining'),
    quotaResetSeconds: readNumber(headers, 'x-quota-reset'),
  };
}

function readNumber(headers: Headers, name: string): number | null {
  const text = headers.get(name);
  if (text === null || text === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** `Retry-After` in seconds, or as the date that proxies write. */
export function readRetryAfter(headers: Headers, nowMs: number): number | null {
  const seconds = readNumber(headers, 'retry-after');
  if (seconds !== null) return Math.max(0, seconds);
  const dateMs = Date.parse(headers.get('retry-after') ?? '');
  return Number.isNaN(dateMs) ? null : Math.max(0, (dateMs - nowMs) / 1_000);
}

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

export function readNumber(headers: Headers, name: string): number | null {
  const text = headers.get(name);
  if (text === null || text === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

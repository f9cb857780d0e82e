import type { LogsFilter } from '@verdict/contracts/dashboard/logs-api.js';
import type { LogsSearch } from './logs-search.ts';

const MINUTE_MS = 60_000;
const RANGES = { '1h': 60, '24h': 24 * 60, '7d': 7 * 24 * 60, '30d': 30 * 24 * 60 } as const;

/** What stands in the address bar as what the API asks for. One field finds an address, a domain or an IP. */
export function logsFilter(search: LogsSearch, now: number): LogsFilter {
  return {
    ...sought(search.q?.trim() ?? ''),
    ...(search.decision ? { decision: search.decision } : {}),
    ...(search.key ? { key_id: search.key } : {}),
    ...(search.mode ? { mode: search.mode } : {}),
    ...timeOf(search, now),
  };
}

function sought(text: string): Pick<LogsFilter, 'email' | 'domain' | 'ip'> {
  if (text === '') return {};
  if (text.includes('@')) return text.startsWith('@') ? { domain: text.slice(1) } : { email: text };
  if (/^[\d.]+$/.test(text) || text.includes(':')) return { ip: text };
  return { domain: text };
}

function timeOf({ range, from, to }: LogsSearch, now: number): Pick<LogsFilter, 'from' | 'to'> {
  // To the minute, so that the same question has the same key in the cache for a while.
  if (range) {
    const start = Math.floor(now / MINUTE_MS) - RANGES[range];
    return { from: new Date(start * MINUTE_MS).toISOString() };
  }
  return {
    ...(isDay(from) ? { from: `${from}T00:00:00Z` } : {}),
    ...(isDay(to) ? { to: new Date(new Date(`${to}T00:00:00Z`).getTime() + 86_400_000).toISOString() } : {}),
  };
}

const isDay = (day: string | undefined): day is string =>
  day !== undefined && /^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));

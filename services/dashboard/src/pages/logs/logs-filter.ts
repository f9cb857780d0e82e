import type { LogsFilter } from '@verdict/contracts/dashboard/logs-api.js';
import type { LogsSearch } from './logs-search.ts';

const MINUTE_MS = 60_000;
const RANGES = { '1h': 60, '24h': 24 * 60, '7d': 7 * 24 * 60, '30d': 30 * 24 * 60 } as const;

/** Translates the address of the page into the query of the API. */
export function logsFilter(search: LogsSearch, now: number): LogsFilter {
  return {
    ...soughtIn(search.q ?? '').filter,
    ...(search.decision ? { decision: search.decision } : {}),
    ...(search.key ? { key_id: search.key } : {}),
    ...(search.ids ? { ids: search.ids } : {}),
    ...(search.rule ? { rule: search.rule } : {}),
    ...(search.outcome ? { outcome: search.outcome } : {}),
    ...(search.mode ? { mode: search.mode } : {}),
    ...timeOf(search, now),
  };
}

export interface Sought {
  readonly filter: Pick<LogsFilter, 'email' | 'mailbox' | 'domain' | 'ip' | 'request_id'>;
  /** The one check that is looked for. */
  readonly log?: string;
  /** The name of the text that says what is missing. */
  readonly hint?: 'wholeAddress' | 'wholeDomain' | 'wholeIp' | 'wholeId';
}

const ID = /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/;
/** Before an address or a log id, asks for all spellings of its mailbox. */
export const MAILBOX = 'mailbox:';
const DOMAIN = /^[^\s@.]+(?:\.[^\s@.]+)+$/;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Two colons in a row, or all eight groups. */
const IPV6 = /^[\da-f:.]*::[\da-f:.]*$|^(?:[\da-f]{1,4}:){6,7}[\da-f.]+$/i;

/** One field finds an address, a mailbox, a domain, an IP or an id. Incomplete input filters nothing and shows a hint. */
export function soughtIn(typed: string): Sought {
  const text = typed.trim();
  if (text === '') return { filter: {} };
  if (text.startsWith(MAILBOX)) {
    const mailbox = text.slice(MAILBOX.length).trim();
    const whole = ID.test(mailbox) || soughtIn(mailbox).filter.email !== undefined;
    return whole ? { filter: { mailbox } } : { filter: {}, hint: 'wholeAddress' };
  }
  if (/^(?:log|req)_/.test(text)) {
    if (!ID.test(text)) return { filter: {}, hint: 'wholeId' };
    return text.startsWith('log_') ? { filter: {}, log: text } : { filter: { request_id: text } };
  }
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  if (at > 0) return DOMAIN.test(domain) ? { filter: { email: text } } : { filter: {}, hint: 'wholeAddress' };
  if (/^[\d.]+$/.test(text) || text.includes(':')) {
    return IPV4.test(text) || IPV6.test(text) ? { filter: { ip: text } } : { filter: {}, hint: 'wholeIp' };
  }
  return DOMAIN.test(domain) ? { filter: { domain } } : { filter: {}, hint: 'wholeDomain' };
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

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
    ...(search.reason ? { reason: search.reason } : {}),
    ...(search.list ? { list: search.list } : {}),
    ...(search.rule ? { rule: search.rule } : {}),
    ...(search.tag ? { tag: search.tag } : {}),
    ...(search.shape ? { shape: search.shape } : {}),
    ...(search.mail ? { mail_host: search.mail } : {}),
    ...(search.country ? { country: search.country } : {}),
    ...(isScore(search.min) ? { score_min: Number(search.min) } : {}),
    ...(isScore(search.max) ? { score_max: Number(search.max) } : {}),
    ...(search.outcome ? { outcome: search.outcome } : {}),
    ...(search.revised ? { revised: 'true' as const } : {}),
    ...(search.mode ? { mode: search.mode } : {}),
    ...timeOf(search, now),
  };
}

export interface Sought {
  readonly filter: Pick<
    LogsFilter,
    'email' | 'mailbox' | 'domain' | 'begins' | 'ip' | 'network' | 'asn' | 'request_id'
  >;
  /** The one check that is looked for. */
  readonly log?: string;
  /** The name of the text that says what is missing. */
  readonly hint?: 'wholeAddress' | 'wholeIp' | 'wholeId' | 'noSpaces';
}

const ID = /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/;
/** Before an address or a log id, asks for all spellings of its mailbox. */
export const MAILBOX = 'mailbox:';
const DOMAIN = /^[^\s@.]+(?:\.[^\s@.]+)+$/;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** The first two or three parts of an IPv4 address. */
const IPV4_BEGINNING = /^\d{1,3}(?:\.\d{1,3}){1,2}\.?$/;
/** Two colons in a row, or all eight groups. */
const IPV6 = /^[\da-f:.]*::[\da-f:.]*$|^(?:[\da-f]{1,4}:){6,7}[\da-f.]+$/i;

/**
 * One field finds the beginning of an address or a domain, a mailbox, an IP, a network, an autonomous system or an id. A
 * text that finds none of them has a hint, and finds nothing.
 */
export function soughtIn(typed: string): Sought {
  const text = typed.trim();
  if (text === '') return { filter: {} };
  if (text.startsWith(MAILBOX)) {
    const mailbox = text.slice(MAILBOX.length).trim();
    const whole = ID.test(mailbox) || soughtIn(mailbox).filter.email !== undefined;
    return whole ? { filter: { mailbox } } : { filter: {}, hint: 'wholeAddress' };
  }
  // A pasted key must not end up in the URL.
  if (/^(?:log|req|vrd)_/.test(text)) {
    if (!ID.test(text)) return { filter: {}, hint: 'wholeId' };
    return text.startsWith('log_') ? { filter: {}, log: text } : { filter: { request_id: text } };
  }
  if (/\s/.test(text)) return { filter: {}, hint: 'noSpaces' };
  if (/^AS\d{1,10}$/i.test(text)) return { filter: { asn: text } };
  return text.includes('@') ? addressIn(text) : numbersIn(text);
}

function addressIn(text: string): Sought {
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  if (DOMAIN.test(domain)) return { filter: at > 0 ? { email: text } : { domain } };
  return text === '@' ? { filter: {}, hint: 'wholeAddress' } : { filter: { begins: text } };
}

function numbersIn(text: string): Sought {
  if (text.includes('/')) {
    const [address = '', length = ''] = text.split('/');
    const isNetwork = (IPV4.test(address) || IPV6.test(address)) && /^\d{1,3}$/.test(length);
    return isNetwork ? { filter: { network: text } } : { filter: {}, hint: 'wholeIp' };
  }
  if (IPV4_BEGINNING.test(text)) return { filter: { network: networkOf(text) } };
  if (/^[\d.]+\.[\d.]*$/.test(text) || text.includes(':')) {
    return IPV4.test(text) || IPV6.test(text) ? { filter: { ip: text } } : { filter: {}, hint: 'wholeIp' };
  }
  return { filter: { begins: text } };
}

/** The network whose addresses begin so. */
function networkOf(beginning: string): string {
  const parts = beginning.replace(/\.$/, '').split('.');
  return `${[...parts, '0', '0'].slice(0, 4).join('.')}/${parts.length * 8}`;
}

/** The one hour of a group. */
const HOUR = /^20\d\d-\d\d-\d\dT(?:[01]\d|2[0-3])$/;

function timeOf({ range, from, to }: LogsSearch, now: number): Pick<LogsFilter, 'from' | 'to'> {
  // To the minute, so that the same question has the same key in the cache for a while.
  if (range) {
    const start = Math.floor(now / MINUTE_MS) - RANGES[range];
    return { from: new Date(start * MINUTE_MS).toISOString() };
  }
  if (from !== undefined && HOUR.test(from)) {
    const start = Date.parse(`${from}:00:00Z`);
    return { from: new Date(start).toISOString(), to: new Date(start + 60 * MINUTE_MS).toISOString() };
  }
  return {
    ...(isDay(from) ? { from: `${from}T00:00:00Z` } : {}),
    ...(isDay(to) ? { to: new Date(new Date(`${to}T00:00:00Z`).getTime() + 86_400_000).toISOString() } : {}),
  };
}

const isScore = (text: string | undefined): text is string =>
  text !== undefined && /^\d{1,3}$/.test(text) && Number(text) <= 100;

const isDay = (day: string | undefined): day is string =>
  day !== undefined && /^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));

const figures = new Intl.NumberFormat('en-US');
const percentages = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export const formatCount = (value: number): string => figures.format(value);
export const formatShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : percentages.format(part / whole);
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const HOUR_MS = 3_600_000;

/** `2026-11-15 12:45:09`, or under an hour in words. The clock of the page may be 30 seconds behind a new row. */
export function formatMoment(iso: string, now: number, relative: boolean): string {
  const at = new Date(iso);
  const age = now - at.getTime();
  if (relative && age > -60_000 && age < HOUR_MS) {
    if (age < 60_000) return 'just now';
    return `${Math.floor(age / 60_000)} min ago`;
  }
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

// Made once: to make one costs two hundred times what it costs to use it, and every row of a listing has a moment.
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

export const formatLocal = (iso: string): string => local.format(new Date(iso));

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const longDays = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const formatDay = (iso: string): string => days.format(new Date(iso));
export const formatLongDay = (iso: string): string => longDays.format(new Date(iso));
/** `2026-11` as November 2026. */
export const formatMonth = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`));

/** `log_01M7…9XQ2`: enough to tell two apart. */
export const shorten = (id: string): string => (id.length <= 16 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`);

export const isoDay = (at: Date): string => at.toISOString().slice(0, 10);

/** The UTC day `days` before today. */
export const daysAgo = (count: number): string => isoDay(new Date(Date.now() - count * 86_400_000));

/** "40 s", "12 min", "5 h", "3 d". */
export function formatAge(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** Minor units of a currency as people write them: 4900 EUR is €49. */
export const formatMoney = (minor: number, currency: string): string =>
  inCurrency(minor, currency, 'stripIfInteger');

/** The same in a column of amounts, with its cents even where there are none: €49.00. */
export const formatAmount = (minor: number, currency: string): string => inCurrency(minor, currency, 'auto');

function inCurrency(minor: number, currency: string, trailingZeroDisplay: 'auto' | 'stripIfInteger') {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, trailingZeroDisplay });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

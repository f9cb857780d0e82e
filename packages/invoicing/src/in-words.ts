const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `1234567` as `1,234,567`. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** `2026-10` as `October 2026`. */
export function formatMonth(month: string): string {
  const [year, index] = month.split('-');
  return `${MONTHS[Number(index) - 1]} ${year}`;
}

/** `2026-10-05` as `5 October 2026`. */
export const formatDay = (day: string): string =>
  `${Number(day.slice(8, 10))} ${formatMonth(day.slice(0, 7))}`;

/** `1 to 14 October 2026`: both days are in one month. */
export const formatDays = (from: string, to: string): string =>
  from === to ? formatDay(from) : `${Number(from.slice(8, 10))} to ${formatDay(to)}`;

/** `0.1234` as `+12.3 %`. */
export function formatGrowth(share: number): string {
  const percent = Math.abs(share * 100).toFixed(1);
  return percent === '0.0' ? 'unchanged' : `${share < 0 ? '−' : '+'}${percent} %`;
}

export const MONTH_STATUSES = ['open', 'closed'] as const;
export type MonthStatus = (typeof MONTH_STATUSES)[number];

/** A quota and billing month, `YYYY-MM`, always UTC. */
export type Month = string;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export const isMonth = (text: string): boolean => MONTH.test(text);

export const monthOf = (date: Date): Month => date.toISOString().slice(0, 7);

/** The month of a check: that of its created_at, whatever any other clock says. */
export const monthOfCreatedAt = (createdAt: string): Month => createdAt.slice(0, 7);

export function monthBounds(month: Month): { start: Date; end: Date } {
  const [year, index] = month.split('-').map(Number) as [number, number];
  return { start: new Date(Date.UTC(year, index - 1, 1)), end: new Date(Date.UTC(year, index, 1)) };
}

/** `YYYY-MM-DD`, in UTC. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

export function addMonths(month: Month, count: number): Month {
  const { start } = monthBounds(month);
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + count, 1)));
}

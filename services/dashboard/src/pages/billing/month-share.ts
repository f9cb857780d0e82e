const DAY_MS = 86_400_000;

/** The fee for the rest of the month, in minor units: a day belongs to the plan of its end, so today counts. */
export function monthShare(
  priceMonth: number,
  { start, end }: { readonly start: string; readonly end: string },
  now: number,
): { readonly days: number; readonly amount: number } {
  const monthDays = Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS);
  const days = monthDays - Math.floor((now - Date.parse(start)) / DAY_MS);
  return { days, amount: Math.floor((2 * priceMonth * days + monthDays) / (2 * monthDays)) };
}

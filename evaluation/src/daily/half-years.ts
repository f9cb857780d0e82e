/** From the first moment to before the last one, in milliseconds. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

/** Half-years in a row; the last one ends with the data. */
export function halfYears(first: number, end: number): Window[] {
  const windows: Window[] = [];
  for (let from = first; from < end; from = sixMonthsLater(from))
    windows.push({ from, until: Math.min(sixMonthsLater(from), end) });
  return windows;
}

function sixMonthsLater(moment: number): number {
  const date = new Date(moment);
  return date.setUTCMonth(date.getUTCMonth() + 6);
}

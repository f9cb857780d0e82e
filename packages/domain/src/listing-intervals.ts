/** A source that began or ceased to list a name. */
export interface ListingChanged {
  readonly source: string;
  readonly listed: boolean;
  /** YYYY-MM-DD. */
  readonly day: string;
}

/** A source listed a name from one day to another; null for "before the history begins" and for "still". */
export interface ListingInterval {
  readonly source: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** Reads changes, oldest first, as intervals by source; sources that list the name now may have no change at all. */
export function listingIntervals(
  changes: readonly ListingChanged[],
  listedNow: readonly string[],
): ListingInterval[] {
  const ended: ListingInterval[] = [];
  const open = new Map<string, string | null>();
  for (const { source, listed, day } of changes) {
    if (listed) {
      if (!open.has(source)) open.set(source, day);
    } else {
      ended.push({ source, from: open.get(source) ?? null, to: day });
      open.delete(source);
    }
  }
  for (const source of listedNow) if (!open.has(source)) open.set(source, null);
  return [...ended, ...[...open].map(([source, from]) => ({ source, from, to: null }))];
}

/** Whether it covers a day. A source that ceased on that day did not list the name any more. */
export const coversDay = ({ from, to }: ListingInterval, day: string): boolean =>
  (from === null || from <= day) && (to === null || day < to);

import { formatLocal, formatMoment, isoDay } from './format.ts';
import { useNow } from './use-now.ts';

/** A moment in UTC, or its day where there is little room; the local time on hover. Under an hour it may be said in words. */
export function Time({
  at,
  relative = false,
  day = false,
}: {
  at: string;
  relative?: boolean;
  day?: boolean;
}) {
  const now = useNow();
  return (
    <time dateTime={at} title={`${formatLocal(at)} (local)\n${at} (UTC)`}>
      {day ? isoDay(new Date(at)) : formatMoment(at, now, relative)}
    </time>
  );
}

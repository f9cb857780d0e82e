import { formatLocal, formatMoment } from './format.ts';
import { useNow } from './use-now.ts';

/** A moment in UTC; the local time on hover. Under an hour it may be said in words. */
export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  const now = useNow();
  return (
    <time dateTime={at} title={`${formatLocal(at)} (local)\n${at} (UTC)`}>
      {formatMoment(at, now, relative)}
    </time>
  );
}

import type { ApiKey } from '../../api/keys.ts';
import { formatMoment } from '../../ui/format/format.ts';

/** "The old value works until 2026-11-19 20:11:40 UTC and was last used 3 min ago." */
export function oldValueLine(
  { expires_at, last_used_at }: NonNullable<ApiKey['old_value']>,
  now: number,
): string {
  const until = `The old value works until ${formatMoment(expires_at, now, false)} UTC`;
  return last_used_at === null
    ? `${until}. It has not been used since the key was rolled.`
    : `${until} and was last used ${formatMoment(last_used_at, now, true)}.`;
}

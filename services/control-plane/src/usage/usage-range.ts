import type { UsageStep } from '@verdict/contracts/dashboard/usage-api.js';
import { dayOf, monthBounds, monthOf } from '@verdict/domain/month.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import { dayIn } from '../http/read-moment.js';

interface Asked {
  readonly from?: string;
  readonly to?: string;
  readonly by?: UsageStep;
  readonly key_id?: string;
  readonly decision?: string;
}

interface UsageRange {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly from: Date;
  /** The moment after the last day. */
  readonly to: Date;
  readonly by: UsageStep;
  readonly keyId?: string;
  readonly decision?: string;
}

const DAY_MS = 86_400_000;
/** So that no answer has more than some thousand rows of a key. */
const DAYS_MAX = { hour: 45, day: 400, month: 1_900 };

/** The requested sums. Days are UTC and both ends are included. */
export function usageRange({ by = 'day', ...asked }: Asked, now: Date): UsageRange {
  const last = startOf(asked.to === undefined ? dayOf(now) : dayIn('to', asked.to));
  const first =
    asked.from === undefined ? monthBounds(monthOf(last)).start : startOf(dayIn('from', asked.from));
  const days = (last.getTime() - first.getTime()) / DAY_MS + 1;
  if (days < 1) throw invalidField('from', 'must be before to');
  if (days > DAYS_MAX[by]) throw invalidField('from', `must be at most ${DAYS_MAX[by]} days before to`);
  return {
    firstDay: dayOf(first),
    lastDay: dayOf(last),
    from: first,
    to: new Date(last.getTime() + DAY_MS),
    by,
    ...(asked.key_id !== undefined && { keyId: asked.key_id }),
    ...(asked.decision !== undefined && { decision: asked.decision }),
  };
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

import type { GroupsReply } from '@verdict/contracts/dashboard/logs-api.js';
import { GROUPS_MAX } from '@verdict/domain/check-groups.js';
import type { Counts } from '../../ui/chart/DecisionChart.tsx';

const STEP_MS = { hour: 3_600_000, day: 86_400_000 };

/** Every hour or day of the period, oldest first, also those without a check: an axis has no holes. */
export function hoursOf(
  groups: GroupsReply['groups'],
  { from, to, step }: { readonly from: string; readonly to: string; readonly step: 'hour' | 'day' },
): { at: string; counts: Counts }[] {
  const counted = new Map(groups.map(({ value, ...counts }) => [Date.parse(value), counts]));
  const length = STEP_MS[step];
  const last = Math.floor((Date.parse(to) - 1) / length) * length;
  const first = Math.max(Math.floor(Date.parse(from) / length) * length, last - (GROUPS_MAX - 1) * length);
  return Array.from({ length: Math.max(0, (last - first) / length + 1) }, (_, n) => {
    const at = first + n * length;
    return {
      at: new Date(at).toISOString(),
      counts: counted.get(at) ?? { allow: 0, challenge: 0, review: 0, block: 0 },
    };
  });
}

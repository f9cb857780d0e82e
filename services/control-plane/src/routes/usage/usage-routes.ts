import {
  DashboardUsageQuerySchema,
  DashboardUsageReplySchema,
  OverviewReplySchema,
} from '@verdict/contracts/dashboard/usage-api.js';
import { KEYS_PER_ACCOUNT_MAX } from '@verdict/db/api-keys.js';
import { monthBounds, monthOf } from '@verdict/domain/month.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { currentUsage } from '../../usage/current-usage.js';
import { usageBreakdown } from '../../usage/usage-breakdown.js';

const DAY_MS = 86_400_000;
const DAYS_MAX = 400;
const HOURLY_DAYS_MAX = 45;

export function usageRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  app.get(
    '/dashboard/usage/',
    {
      schema: {
        tags: ['usage'],
        summary: 'Counted checks by hour or day, key and decision',
        querystring: DashboardUsageQuerySchema,
        response: { 200: DashboardUsageReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { by = 'day', key_id } = request.query;
      const { from, to } = rangeOf(request.query, by);
      const rows = await request.caller.account.usage.sums({
        from,
        to: new Date(to.getTime() + DAY_MS),
        by,
        ...(key_id !== undefined && { keyId: key_id }),
      });
      const { by_decision } = usageBreakdown(rows);
      return {
        success: true as const,
        from: dayOf(from),
        to: dayOf(to),
        by,
        total: rows.reduce((sum, { checks }) => sum + Number(checks), 0),
        by_decision,
        rows: rows.map((row) => ({
          at: row.at,
          key_id: row.key_id,
          decision: row.decision as keyof typeof by_decision,
          checks: Number(row.checks),
        })),
      };
    },
  );

  app.get(
    '/dashboard/overview/',
    {
      schema: {
        tags: ['usage'],
        summary: 'The account at a glance: plan, month, keys and lists',
        response: { 200: OverviewReplySchema, ...errorReplies(401) },
      },
    },
    async (request) => {
      const { account } = request.caller;
      const { start, end } = monthBounds(monthOf(new Date()));
      const [plan, rows, keys, allow, block] = await Promise.all([
        account.subscription.plan(),
        account.usage.sums({ from: start, to: end, by: 'day' }),
        account.keys.list(false),
        account.lists.count('allow'),
        account.lists.count('block'),
      ]);
      return {
        success: true as const,
        ...(await currentUsage(deps, account.id, plan)),
        ...usageBreakdown(rows),
        keys,
        keys_max: KEYS_PER_ACCOUNT_MAX,
        list_entries: { allow, block },
      };
    },
  );
}

/** Days are UTC, like everything that is counted. */
function rangeOf(query: { from?: string; to?: string }, by: 'hour' | 'day'): { from: Date; to: Date } {
  const today = new Date(`${dayOf(new Date())}T00:00:00Z`);
  const to = query.to === undefined ? today : new Date(`${query.to}T00:00:00Z`);
  const from =
    query.from === undefined ? monthBounds(monthOf(to)).start : new Date(`${query.from}T00:00:00Z`);
  const days = (to.getTime() - from.getTime()) / DAY_MS + 1;
  const daysMax = by === 'hour' ? HOURLY_DAYS_MAX : DAYS_MAX;
  if (days < 1) throw invalidField('from', 'lies after to');
  if (days > daysMax) throw invalidField('from', `lies more than ${daysMax} days before to`);
  return { from, to };
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

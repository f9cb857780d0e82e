import { SUMS_MAX } from '@verdict/contracts/dashboard/usage-api.js';
import { USAGE_ROUTES } from '@verdict/contracts/routes/usage-routes.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { UsageRow, UsageTags } from '@verdict/db/billing/usage-reading.js';
import { KEYS_PER_ACCOUNT_MAX } from '@verdict/db/keys/api-keys.js';
import { burstRules } from '@verdict/domain/burst-rules.js';
import { monthBounds, monthOf } from '@verdict/domain/month.js';
import { countsOfToday } from '@verdict/redis-store/counts-of-today.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { downloadTurns } from '../../http/download-turns.js';
import { sendCsv } from '../../http/send-csv.js';
import { limitsOf } from '../../projection/project-account.js';
import { currentUsage } from '../current-usage.js';
import { everySum } from '../every-sum.js';
import { ownProxy } from '../own-proxy.js';
import { usageBreakdown } from '../usage-breakdown.js';
import { usageRange } from '../usage-range.js';

const CSV_COLUMNS = ['at', 'key_id', 'decision', 'checks'];
const TAG_COLUMNS = ['tag', 'checks', 'kind'];

export function usageRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  attach(app, USAGE_ROUTES.usage, async (request) => {
    const range = usageRange(request.query, new Date());
    const rows = await request.caller.account.usage.sums(range, null, SUMS_MAX + 1);
    if (rows.length > SUMS_MAX)
      throw invalidField('from', `asks for over ${SUMS_MAX} sums: choose fewer days, a key, or usage.csv`);
    const { by_decision } = usageBreakdown(rows);
    return {
      success: true,
      from: range.firstDay,
      to: range.lastDay,
      by: range.by,
      total: rows.reduce((sum, { checks }) => sum + Number(checks), 0),
      by_decision,
      rows: rows.map((row) => ({
        at: row.at,
        key_id: row.key_id,
        decision: row.decision as keyof typeof by_decision,
        checks: Number(row.checks),
      })),
    };
  });

  attach(app, USAGE_ROUTES.usageCsv, async (request, reply) => {
    const range = usageRange(request.query, new Date());
    const rows = everySum(
      request.caller.account.usage,
      range,
      downloadTurns(deps, request.caller.account.id, reply),
    );
    const name = `usage-${range.firstDay}-${range.lastDay}.csv`;
    return sendCsv(reply, name, CSV_COLUMNS, asText(rows));
  });

  attach(app, USAGE_ROUTES.usageTags, async (request) => {
    const range = usageRange(request.query, new Date());
    const { tags, ...sums } = await request.caller.account.usage.tags(range);
    return { success: true, from: range.firstDay, to: range.lastDay, tags: [...tags], ...sums };
  });

  attach(app, USAGE_ROUTES.usageTagsCsv, async (request, reply) => {
    const range = usageRange(request.query, new Date());
    const name = `usage-tags-${range.firstDay}-${range.lastDay}.csv`;
    return sendCsv(reply, name, TAG_COLUMNS, linesOf(await request.caller.account.usage.tags(range)));
  });

  attach(app, USAGE_ROUTES.overview, async (request) => {
    const { account } = request.caller;
    const { start, end } = monthBounds(monthOf(new Date()));
    const [limits, rows, keys, allow, block, { bursts }, commonIp] = await Promise.all([
      account.subscription.limits(),
      account.usage.sums({ from: start, to: end, by: 'day' }),
      account.keys.list(0),
      account.lists.count('allow'),
      account.lists.count('block'),
      account.settings.read(),
      account.logs.commonIpToday(),
    ]);
    const proxy = ownProxy(commonIp);
    const { forgotten, unmetered } = await countsOfToday(deps, account.id, Date.now());
    return {
      success: true,
      ...(await currentUsage(deps, account.id, limits)),
      ...usageBreakdown(rows),
      keys,
      keys_max: KEYS_PER_ACCOUNT_MAX,
      list_entries: { allow, block },
      bursts: bursts ? await burstsToday(account.logs, proxy !== null) : null,
      bursts_forgotten: forgotten,
      unmetered: { used: unmetered, limit: limitsOf(deps.plans, limits.plan).unmeteredPerDay },
      own_proxy: proxy,
    };
  });
}

/** Without those of an IP where that is the customer's own proxy. */
async function burstsToday(logs: AccountScope['logs'], isProxied: boolean): Promise<Record<string, number>> {
  const codes = burstRules.filter(({ name }) => name !== 'ip' || !isProxied).map(({ code }) => code);
  const found = await logs.countToday(codes);
  return Object.fromEntries(codes.map((code) => [code, checksOf(found, code)]));
}

const checksOf = (found: readonly { code: string; checks: number }[], code: string): number =>
  found.find((row) => row.code === code)?.checks ?? 0;

async function* asText(rows: AsyncIterable<UsageRow>) {
  for await (const row of rows) yield { ...row, checks: String(row.checks) };
}

/** The kind tells the sums apart from tags that are spelled like them. */
async function* linesOf({ tags, other, untagged }: UsageTags) {
  for (const { tag, checks } of tags) yield { tag, checks: String(checks), kind: 'tag' };
  yield { tag: '', checks: String(other), kind: 'other' };
  yield { tag: '', checks: String(untagged), kind: 'untagged' };
}

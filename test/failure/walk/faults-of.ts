import { readFileSync } from 'node:fs';
import { monthBounds, monthOf } from '@verdict/domain/month.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { besideRows } from '../../harness/beside-rows.js';
import { readUsed } from '../support/read-used.js';
import { billByTheDocs, type DocPlans } from './bill-by-the-docs.js';
import { spellings, tagOf } from './oracle.js';
import type { Walker } from './walker.js';
import { MONTH, NEXT_MONTH, PLANS, type World } from './world.js';

const DOC_PLANS = JSON.parse(readFileSync(inRoot('test/failure/walk/plans.json'), 'utf8')) as DocPlans;

interface Row {
  readonly id: string;
  readonly email: string;
  readonly seen: number | null;
  readonly month: string;
  readonly decision: string;
  readonly tag: string | null;
}

/** Holds rows, rollups, counters and statement of one account against its walk, once nothing is queued, and says what differs. */
export async function faultsOf(world: World, walker: Walker): Promise<string[]> {
  const { accountId, answers, refused, unknown } = walker;
  const rows = await world.sql<Row>(
    `SELECT l.id, s.email, l.seen[1]::int AS seen, l.decision, l.tag, to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month
     FROM check_logs l JOIN check_subjects s ON s.id = l.id AND s.created_at = l.created_at
     WHERE l.account_id = $1 ORDER BY l.created_at, l.seen[1], l.id`,
    [accountId],
  );
  const known = new Set(answers.map(({ id }) => id));
  const others = rows.filter(({ id }) => !known.has(id));
  const without = new Set(refused);
  const counted = rows.filter(({ email }) => email.endsWith('@gmail.com'));
  const spelled = spellings(counted.map(({ email }) => email));
  const faults = [
    ...(await besideRows(world.sql, answers)),
    ...others
      .filter(({ email }) => !unknown.has(email))
      .map(({ email }) => `${email}: a row without an attempt`),
    ...repeated(others.map(({ email, month }) => `${month} ${email}`)).map((one) => `${one}: stored twice`),
    ...rows.filter(({ email }) => without.has(email)).map(({ email }) => `${email}: refused, with a row`),
    ...counted
      .filter(({ seen }, i) => seen !== spelled[i])
      .map(({ email, seen }) => `${email}: has seen ${seen} spellings`),
    ...rows
      .filter(({ email, tag }) => tag !== (tagOf(email) ?? null))
      .map(({ email, tag }) => `${email}: has the tag ${tag}`),
    ...(await walker.deskFaults(world.sql, accountId, idsOf(rows, 'review'))),
  ];
  for (const month of [MONTH, NEXT_MONTH]) {
    const own = rows.filter((row) => row.month === month);
    const [rolled] = await world.sql<{ checks: number }>(
      `SELECT coalesce(sum(checks), 0)::int AS checks FROM usage_hourly
       WHERE account_id = $1 AND to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM') = $2`,
      [accountId, month],
    );
    const used = await readUsed(world.metering.redis, accountId, month);
    if (rolled?.checks !== own.length || used !== own.length)
      faults.push(`${month}: ${own.length} rows, rolled up ${rolled?.checks}, counted ${used}`);
    const tags = await world.sql<{ tag: string; checks: number }>(
      `SELECT tag, sum(checks)::int AS checks FROM usage_tags
       WHERE account_id = $1 AND to_char(day, 'YYYY-MM') = $2 GROUP BY 1`,
      [accountId, month],
    );
    const tagged = sorted(tally(own.flatMap(({ tag }) => tag ?? [])));
    const counted = sorted(Object.fromEntries(tags.map(({ tag, checks }) => [tag, checks])));
    if (counted !== tagged) faults.push(`${month}: tags are ${counted}, not ${tagged}`);
    const quota = quotaIn(walker, month);
    if (own.length > quota) faults.push(`${month}: ${own.length} rows of ${quota}`);
    if (month !== monthOf(new Date(world.now())) || walker.isDoubtful()) continue;
    // A refusal means that the limit is used up; the largest limit of the month is never exceeded.
    if (own.length > walker.most() || (walker.isFull() && own.length < walker.limit()))
      faults.push(`${month}: ${own.length} rows of ${walker.limit()}, at most ${walker.most()}`);
  }
  return [...faults, ...(await statementFaults(world, walker, rows))];
}

const idsOf = (rows: readonly Row[], wanted: string) =>
  rows.flatMap(({ id, decision }) => (decision === wanted ? [id] : []));

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const repeated = (names: readonly string[]): string[] => names.filter((name, i) => names.indexOf(name) !== i);

/** The most that any plan of the month allowed. */
function quotaIn({ changes, isDoubtful }: Walker, month: string): number {
  if (isDoubtful()) return Number.POSITIVE_INFINITY;
  const { start, end } = monthBounds(month);
  const before = changes.findLast(({ ms }) => ms <= start.getTime());
  const within = changes.filter(({ ms }) => ms > start.getTime() && ms < end.getTime());
  const limits = [...(before ? [before] : []), ...within].map(
    ({ plan }) => PLANS.get(plan)?.checksLimit ?? 0,
  );
  return Math.max(0, ...limits);
}

/** The statement of the month that was closed is the bill by the docs, for the rows that there are. */
async function statementFaults(world: World, walker: Walker, rows: readonly Row[]): Promise<string[]> {
  const [statement] = await world.sql<{
    plan: string;
    used: number;
    entitled: number;
    total: number;
    by_decision: Record<string, number>;
  }>(
    `SELECT plan, used::int, entitled::int, total::int, by_decision FROM statements
     WHERE account_id = $1 AND month = ($2 || '-01')::date`,
    [walker.accountId, MONTH],
  );
  if (!statement) return [];
  const own = rows.filter(({ month }) => month === MONTH);
  const byDecision = tally(own.map(({ decision }) => decision));
  const { start, end } = monthBounds(MONTH);
  const span = { startMs: start.getTime(), endMs: end.getTime() };
  const before = walker.changes.filter(({ ms }) => ms < end.getTime());
  const money = walker.isDoubtful() ? {} : billByTheDocs(DOC_PLANS, span, before, own.length);
  const want = { used: own.length, by_decision: byDecision, ...money };
  return Object.entries(want).flatMap(([name, value]) => {
    const stated = statement[name as keyof typeof statement];
    return sorted(stated) === sorted(value)
      ? []
      : [`statement: ${name} is ${sorted(stated)}, not ${sorted(value)}`];
  });
}

const sorted = (value: unknown): string =>
  JSON.stringify(
    typeof value === 'object' && value
      ? Object.entries(value)
          .filter(([, n]) => n !== 0)
          .sort()
      : value,
  );

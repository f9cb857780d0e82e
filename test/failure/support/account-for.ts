import { rollupDifferences } from '@verdict/db/billing/usage-differences.js';
import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import type { Attempt } from './load.js';
import type { OpenMetering } from './open-metering.js';
import { readUsed } from './read-used.js';

/** The outcome of every attempt, as sets: a total would let a lost check hide behind a doubled one. */
export interface Account {
  readonly attempts: number;
  readonly answered: number;
  readonly rows: number;
  /** Answered with 200 but without a row. */
  readonly lost: readonly string[];
  /** Addresses with more than one row: each attempt was sent once. */
  readonly doubled: readonly string[];
  /** Rows that belong to no attempt, or whose log id is not the one the client got. */
  readonly unexplained: readonly string[];
  /** Rows of attempts whose client saw no 200: it died, or was cut off, after the step was taken. */
  readonly unconfirmed: number;
  readonly rolledUp: number;
  readonly wrongRollups: number;
  /** Before the queue was empty: accounts whose counter was not what was persisted plus what was queued. */
  readonly differencesMeanwhile: number;
  readonly counter: number;
  readonly differences: number;
  readonly failedJobs: number;
  readonly deadLetters: number;
}

/** Looks once while checks may still be queued, waits until none is, and holds everything against everything. */
export async function accountFor(
  metering: OpenMetering,
  accountId: string,
  attempts: readonly Attempt[],
  drainMs: number,
  months: readonly string[] = [monthOf(new Date())],
): Promise<Account> {
  const { db, redis, shards } = metering;
  const differences = () => sumOver(months, async (month) => (await reconcile(metering, month)).length);
  const differencesMeanwhile = await differences();
  await eventually(async () => (await readBacklog(redis, shards)).oldestMs === null, { withinMs: drainMs });

  const rows = await db.$queryRaw<{ id: string; email: string }[]>`
    SELECT l.id, s.email FROM check_logs l JOIN check_subjects s ON s.id = l.id AND s.created_at = l.created_at
    WHERE l.account_id = ${accountId}`;
  const rowsByEmail = new Map<string, string[]>();
  for (const { id, email } of rows) rowsByEmail.set(email, [...(rowsByEmail.get(email) ?? []), id]);
  const attemptByEmail = new Map(attempts.map((attempt) => [attempt.email, attempt]));
  const answered = attempts.filter(({ status }) => status === 200);
  const [rolled] = await db.$queryRaw<{ checks: number }[]>`
    SELECT coalesce(sum(checks), 0)::int AS checks FROM usage_hourly WHERE account_id = ${accountId}`;

  return {
    attempts: attempts.length,
    answered: answered.length,
    rows: rows.length,
    lost: answered
      .filter(({ email, logId }) => !rowsByEmail.get(email)?.includes(logId ?? ''))
      .map(({ email }) => email),
    doubled: [...rowsByEmail].filter(([, ids]) => ids.length > 1).map(([email]) => email),
    unexplained: rows
      .filter(({ id, email }) => {
        const attempt = attemptByEmail.get(email);
        return !attempt || (attempt.logId !== null && attempt.logId !== id);
      })
      .map(({ id }) => id),
    unconfirmed: rows.filter(({ email }) => attemptByEmail.get(email)?.status !== 200).length,
    rolledUp: rolled?.checks ?? 0,
    wrongRollups: await sumOver(months, async (month) => (await rollupDifferences(db, month)).length),
    differencesMeanwhile,
    counter: await sumOver(months, (month) => readUsed(redis, accountId, month)),
    differences: await differences(),
    failedJobs: (await readBacklog(redis, shards)).failed,
    deadLetters: await metering.deadLetters.count(),
  };
}

async function sumOver(
  months: readonly string[],
  count: (month: string) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for (const month of months) sum += await count(month);
  return sum;
}

import { rollupDifferences } from '@verdict/db/billing/usage-differences.js';
import { monthBounds, monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import { besideRows } from '../../harness/beside-rows.js';
import type { Attempt } from './load.js';
import type { OpenMetering } from './open-metering.js';
import { readUsed } from './read-used.js';

/** The outcome of every attempt, as sets: a total would let a lost check hide behind a doubled one. */
export interface Account {
  readonly attempts: number;
  readonly answered: number;
  readonly rows: number;
  /** Answers that differ from their row, or have none. */
  readonly lost: readonly string[];
  /** Addresses with more than one row, however often they were sent. */
  readonly doubled: readonly string[];
  /** Rows that belong to no attempt of their account, or that another answer to their attempt names otherwise. */
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
  accountIds: readonly string[],
  attempts: readonly Attempt[],
  drainMs: number,
  months: readonly string[] = [monthOf(new Date())],
): Promise<Account> {
  const { db, redis, shards } = metering;
  const differences = () => sumOver(months, async (month) => (await reconcile(metering, month)).length);
  const differencesMeanwhile = await differences();
  await eventually(async () => (await readBacklog(redis, shards)).oldestMs === null, { withinMs: drainMs });

  const rows = await db.$queryRaw<{ id: string; account_id: string; email: string }[]>`
    SELECT l.id, l.account_id, s.email FROM check_logs l JOIN check_subjects s ON s.id = l.id AND s.created_at = l.created_at
    WHERE l.account_id = ANY(${[...accountIds]}::text[])`;
  const rowsByEmail = new Map<string, string[]>();
  for (const { id, email } of rows) rowsByEmail.set(email, [...(rowsByEmail.get(email) ?? []), id]);
  const attemptsByEmail = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const own = attemptsByEmail.get(attempt.email);
    if (own) own.push(attempt);
    else attemptsByEmail.set(attempt.email, [attempt]);
  }
  const answered = attempts.filter(({ status }) => status === 200);
  const answeredEmails = new Set(answered.map(({ email }) => email));
  const [rolled] = await db.$queryRaw<{ checks: number }[]>`
    SELECT coalesce(sum(checks), 0)::int AS checks FROM usage_hourly
    WHERE account_id = ANY(${[...accountIds]}::text[])`;

  return {
    attempts: attemptsByEmail.size,
    answered: answeredEmails.size,
    rows: rows.length,
    lost: await besideRows(
      (text, values) => db.$queryRawUnsafe(text, ...values),
      answered.map(({ email, logId, createdAt, decision }) => ({
        ...{ log_id: logId, email, decision },
        created_at: createdAt,
      })),
    ),
    doubled: [...rowsByEmail].filter(([, ids]) => ids.length > 1).map(([email]) => email),
    unexplained: rows
      .filter(({ id, account_id, email }) => {
        const own = attemptsByEmail.get(email)?.filter(({ accountId }) => accountId === account_id) ?? [];
        const isOther = (one: Attempt) => one.logId !== null && one.logId !== id;
        return own.length === 0 || own.some(isOther);
      })
      .map(({ id }) => id),
    unconfirmed: rows.filter(({ email }) => !answeredEmails.has(email)).length,
    rolledUp: rolled?.checks ?? 0,
    wrongRollups: await sumOver(
      months,
      async (month) => (await rollupDifferences(db, monthBounds(month))).length,
    ),
    differencesMeanwhile,
    counter: await sumOver(months, (month) =>
      sumOver(accountIds, (accountId) => readUsed(redis, accountId, month)),
    ),
    differences: await differences(),
    failedJobs: (await readBacklog(redis, shards)).failed,
    deadLetters: await metering.deadLetters.count(),
  };
}

async function sumOver(names: readonly string[], count: (name: string) => Promise<number>): Promise<number> {
  let sum = 0;
  for (const name of names) sum += await count(name);
  return sum;
}

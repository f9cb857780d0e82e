import type { Plans } from '@verdict/domain/plans.js';
import type { Database } from '../database/client.js';
import { int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { insertMail, type OutgoingMail } from '../people/outgoing-mails.js';
import { invoiceRecipient } from './invoice-recipient.js';
import { usedOfQuota } from './used-of-quota.js';

/** An account that has used as much of its plan as it wants to hear about. */
const UsageToMail = {
  account_id: text,
  plan: text,
  used: int,
  quota: int,
  /** The highest percentage that it reached of those it named. */
  percent: int,
  /** The same in checks. */
  reached: int,
  checks_cap: nullable(int),
  to: text,
};
export type UsageToMail = RowOf<typeof UsageToMail>;

/** The accounts that reached more than they were last written about in this month. */
export function usageToMail(db: Database, plans: Plans, month: string): Promise<UsageToMail[]> {
  return rowsOf(db, UsageToMail)`
    WITH used AS MATERIALIZED (${usedOfQuota(plans, month)}), reached AS (
      SELECT u.*, s.checks_cap, s.told_month, s.told_checks, (
        SELECT max(percent) FROM unnest(s.mail_at) AS percent WHERE u.checks * 100 >= u.quota * percent) AS percent
      FROM used u JOIN spending_limits s ON s.account_id = u.id
    ), due AS (
      SELECT r.*, r.quota * r.percent / 100 AS reached,
        ${invoiceRecipient(Prisma.sql`p.contact`, Prisma.sql`r.id`)} AS "to"
      FROM reached r LEFT JOIN billing_profiles p ON p.account_id = r.id
      WHERE r.percent IS NOT NULL
        AND (r.told_month IS DISTINCT FROM ${month} OR r.told_checks < r.quota * r.percent / 100)
    )
    SELECT id AS account_id, plan, checks::float8 AS used, quota::float8 AS quota, percent, reached::float8 AS reached,
      checks_cap::float8 AS checks_cap, "to"
    FROM due WHERE "to" IS NOT NULL ORDER BY id`;
}

/** Writes the mail to the outbox and notes it, both or neither; false when somebody else was first. */
export async function writeUsageMail(
  db: Database,
  { account_id, reached }: UsageToMail,
  month: string,
  mail: OutgoingMail,
): Promise<boolean> {
  const written = await db.$executeRaw`
    WITH noted AS (
      UPDATE spending_limits SET told_month = ${month}, told_checks = ${reached}::bigint
      WHERE account_id = ${account_id} AND (told_month IS DISTINCT FROM ${month} OR told_checks < ${reached}::bigint)
      RETURNING account_id)
    ${insertMail(mail)} WHERE EXISTS (SELECT FROM noted)`;
  return written > 0;
}

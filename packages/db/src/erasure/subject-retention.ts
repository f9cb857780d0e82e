import { addMonths, isMonth, monthOf } from '@verdict/domain/month.js';
import { DEFAULT_PLAN } from '@verdict/domain/plans.js';
import type { Database } from '../database/client.js';
import { text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

const PREFIX = 'check_subjects_';
const ROWS_PER_STATEMENT = 10_000;

/** Deletes old checks of test keys whole, because they are not billed. */
export const deleteTestChecksBefore = (db: Database, cutoff: Date): Promise<number> =>
  db.$executeRaw`DELETE FROM test_check_logs WHERE created_at < ${cutoff}`;

/** Drops whole months of addresses that no plan keeps any longer; returns the months. */
export async function dropSubjectsBefore(db: Database, cutoff: Date): Promise<string[]> {
  const rows = await rowsOf(db, { name: text })`
    SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'check_subjects'::regclass ORDER BY 1`;
  const months = rows
    .map(({ name }) => name.slice(PREFIX.length).replace('_', '-'))
    .filter((month) => isMonth(month) && addMonths(month, 1) <= monthOf(cutoff));
  for (const month of months) {
    await db.$executeRaw`SELECT drop_check_subjects((${month} || '-01')::date)`;
  }
  return months;
}

/**
 * Deletes addresses older than a plan keeps them, a bounded number per statement so that no lock is held for long. The
 * default plan answers for accounts whose plan is none of `plans`, and for those that are gone.
 */
export async function deleteSubjectsBefore(
  db: Database,
  plan: string,
  plans: readonly string[],
  cutoff: Date,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const count = await db.$executeRaw`
      DELETE FROM check_subjects s USING (
        SELECT o.id, o.created_at FROM check_subjects o LEFT JOIN accounts a ON a.id = o.account_id
        WHERE CASE WHEN a.plan = ANY(${[...plans]}::text[]) THEN a.plan ELSE ${DEFAULT_PLAN} END = ${plan}
          AND o.created_at < ${cutoff} LIMIT ${ROWS_PER_STATEMENT}
      ) old WHERE s.id = old.id AND s.created_at = old.created_at`;
    deleted += count;
    if (count < ROWS_PER_STATEMENT) return deleted;
  }
}

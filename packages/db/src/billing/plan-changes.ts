import type { Audit } from '../accounts/audited.js';
import { type Changed, changeAccount } from '../accounts/change-account.js';
import type { Database } from '../database/client.js';
import { columnsOf, int, json, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

export interface PlanWish {
  readonly plan: string;
  /** Plans from which this is not an upgrade (plansNoSmallerThan): from these it begins next month. */
  readonly downFrom: readonly string[];
  /** A user id, `operator` or `operator:<name>`. */
  readonly madeBy: string;
  /** When it is decided; now, when left out. */
  readonly at?: Date;
}

const PlanChanged = {
  from_plan: text,
  /** Active after the change. */
  plan: text,
  /** Begins next month; null when the change is immediate. */
  next_plan: nullable(text),
  effective_at: text,
};
export type PlanChanged = RowOf<typeof PlanChanged>;

/**
 * The one way to change a plan: history, request, audit event and version in one transaction. No row when it is the plan
 * already, or will be with the next month.
 */
export function changePlan(
  db: Database,
  accountId: string,
  wish: PlanWish,
  audit: Audit,
): Promise<Changed<PlanChanged>> {
  return changeAccount(db, {
    accountId,
    change: Prisma.sql`
      SELECT from_plan, plan, next_plan, ${timestampText('effective_at')} AS effective_at,
        jsonb_strip_nulls(jsonb_build_object('from', from_plan, 'to', coalesce(next_plan, plan),
          'effective_at', ${timestampText('effective_at')})) AS details
      FROM change_plan(${accountId}, ${wish.plan}, ${[...wish.downFrom]}::text[], ${wish.madeBy}, ${momentOf(wish.at)})`,
    returns: { ...PlanChanged, details: json },
    audit,
  });
}

/** Lets accounts follow the downgrades whose month has begun; returns how many did. */
export async function applyDuePlanChanges(db: Database, at?: Date): Promise<number> {
  const rows = await rowsOf(db, { applied: int })`
    SELECT apply_due_plan_changes(${momentOf(at)}) AS applied`;
  return rows[0]?.applied ?? 0;
}

const NextPlan = columnsOf('nextPlan');
export type NextPlan = RowOf<typeof NextPlan>;

/** The plan that begins with the next month, if one does. */
export async function findNextPlan(db: Database, accountId: string): Promise<NextPlan | null> {
  const rows = await rowsOf(db, NextPlan)`
    SELECT to_plan AS plan, ${timestampText('effective_at')} AS effective_at FROM plan_changes
    WHERE account_id = ${accountId} AND applied_at IS NULL AND withdrawn_at IS NULL`;
  return rows[0] ?? null;
}

const PlanChangeRow = {
  from_plan: nullable(text),
  to_plan: text,
  effective_at: text,
  made_by: text,
  made_at: text,
};
export type PlanChangeRow = RowOf<typeof PlanChangeRow>;

/** Every change of an account's plan that holds or will hold, newest first. */
export function listPlanChanges(db: Database, accountId: string): Promise<PlanChangeRow[]> {
  return rowsOf(db, PlanChangeRow)`
    SELECT from_plan, to_plan, ${timestampText('effective_at')} AS effective_at, made_by,
      ${timestampText('made_at')} AS made_at
    FROM plan_changes WHERE account_id = ${accountId} AND withdrawn_at IS NULL
    ORDER BY plan_changes.effective_at DESC, id DESC`;
}

const momentOf = (at: Date | undefined): Prisma.Sql =>
  at ? Prisma.sql`${at}::timestamptz` : Prisma.sql`clock_timestamp()`;

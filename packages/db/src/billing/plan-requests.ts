import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { columnsOf, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { changePlan, type PlanChanged, type PlanWish } from './plan-changes.js';

const PlanRequestRow = {
  ...columnsOf('planRequest'),
  requested_by: nullable(text),
  decided_by: nullable(text),
};
export type PlanRequestRow = RowOf<typeof PlanRequestRow>;

const SHOWN = Prisma.sql`r.id, r.account_id, a.name AS account_name, a.plan AS current_plan, r.plan, r.requested_by,
  ${timestampText('r.requested_at')} AS requested_at, r.status, r.decided_by,
  ${timestampText('r.decided_at')} AS decided_at, r.reason`;

/** The requests that wait for an operator, oldest first. */
export function listOpenPlanRequests(db: Database): Promise<PlanRequestRow[]> {
  return rowsOf(db, PlanRequestRow)`
    SELECT ${SHOWN} FROM plan_requests r JOIN accounts a ON a.id = r.account_id
    WHERE r.status = 'open' ORDER BY r.requested_at, r.id`;
}

export async function findPlanRequest(db: Database, id: string): Promise<PlanRequestRow | null> {
  const rows = await rowsOf(db, PlanRequestRow)`
    SELECT ${SHOWN} FROM plan_requests r JOIN accounts a ON a.id = r.account_id WHERE r.id = ${id}`;
  return rows[0] ?? null;
}

/** The newest request of an account, whatever became of it. */
export async function findLatestPlanRequest(db: Database, accountId: string): Promise<PlanRequestRow | null> {
  const rows = await rowsOf(db, PlanRequestRow)`
    SELECT ${SHOWN} FROM plan_requests r JOIN accounts a ON a.id = r.account_id
    WHERE r.account_id = ${accountId} ORDER BY r.requested_at DESC, r.id DESC LIMIT 1`;
  return rows[0] ?? null;
}

/** Stores a plan request. A new one replaces an open one. */
export async function requestPlan(
  db: Database,
  request: { id: string; accountId: string; plan: string; userId: string },
  audit: Audit,
): Promise<void> {
  const { id, accountId, plan, userId } = request;
  await db.$transaction([
    // One request of an account after the other.
    db.$executeRaw`SELECT FROM accounts WHERE id = ${accountId} FOR UPDATE`,
    withdrawal(db, accountId),
    db.$executeRaw(
      audited(
        accountId,
        Prisma.sql`
          INSERT INTO plan_requests (id, account_id, plan, requested_by)
          VALUES (${id}, ${accountId}, ${plan}, ${userId}) RETURNING id`,
        audit,
      ),
    ),
  ]);
}

/** Takes the open request back; false when there is none. */
export async function withdrawPlanRequest(db: Database, accountId: string, audit: Audit): Promise<boolean> {
  const change = Prisma.sql`
    UPDATE plan_requests SET status = 'withdrawn', decided_at = now()
    WHERE account_id = ${accountId} AND status = 'open' RETURNING id`;
  return (await db.$executeRaw(audited(accountId, change, audit))) > 0;
}

/** Grants an open request: the plan changes as if the customer had been free to choose. Null when it is not open. */
export async function grantPlanRequest(
  db: Database,
  id: string,
  wish: Omit<PlanWish, 'plan'>,
  audit: Audit,
): Promise<{ request: PlanRequestRow; changed: PlanChanged | null } | null> {
  const request = await findPlanRequest(db, id);
  if (request?.status !== 'open') return null;
  const { rows } = await changePlan(db, request.account_id, { ...wish, plan: request.plan }, audit);
  return { request, changed: rows[0] ?? null };
}

/** Refuses an open request with a reason that the customer reads; null when it is not open. */
export async function refusePlanRequest(
  db: Database,
  id: string,
  { decidedBy, reason }: { decidedBy: string; reason: string },
  audit: Audit,
): Promise<PlanRequestRow | null> {
  const request = await findPlanRequest(db, id);
  if (!request) return null;
  const change = Prisma.sql`
    UPDATE plan_requests SET status = 'refused', decided_by = ${decidedBy}, decided_at = now(), reason = ${reason}
    WHERE id = ${id} AND status = 'open' RETURNING id`;
  return (await db.$executeRaw(audited(request.account_id, change, audit))) > 0 ? request : null;
}

const withdrawal = (db: Database, accountId: string) => db.$executeRaw`
  UPDATE plan_requests SET status = 'withdrawn', decided_at = now()
  WHERE account_id = ${accountId} AND status = 'open'`;

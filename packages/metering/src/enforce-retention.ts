import { forgetAuditIps } from '@verdict/db/accounts/audit-privacy.js';
import { forgetLateSubjects } from '@verdict/db/accounts/delete-account.js';
import { repeatErasures } from '@verdict/db/erasure/subject-erasures.js';
import {
  deleteSubjectsBefore,
  deleteTestChecksBefore,
  dropSubjectsBefore,
} from '@verdict/db/erasure/subject-retention.js';
import { deleteGroupsBefore, deleteOldGroups } from '@verdict/db/groups/group-retention.js';
import { forgetOldOutcomes, forgetOldReviews } from '@verdict/db/outcomes/outcome-retention.js';
import { deleteBacktestsBefore } from '@verdict/db/policies/backtest-queue.js';
import { forgetDepartedPolicies } from '@verdict/db/policies/forget-departed-policies.js';
import { deleteMatchesBefore } from '@verdict/db/policies/rule-matches.js';
import { forgetOldRevisions } from '@verdict/db/revisions/forget-old-revisions.js';
import type { Plans } from '@verdict/domain/plans.js';
import type { Metering } from './metering.js';

const DAY_MS = 86_400_000;
/** How long checks of test keys are kept. */
const TEST_CHECKS_DAYS = 30;
/** How long the result of a backtest is kept. */
const BACKTEST_DAYS = 30;
/** How long hours are grouped. */
const GROUPS_DAYS = 92;
/** How long the matches of rules are kept; pages show a week. */
const MATCHES_DAYS = 60;

/**
 * Deletes addresses, IPs and reasons older than the account's plan keeps them, and old IPs of the audit log: whole
 * months as partitions, the rest by row. It can be stopped and repeated at any point.
 */
export async function enforceRetention(
  { db }: Pick<Metering, 'db'>,
  plans: Plans,
  nowMs: number,
  auditIpDays: number,
) {
  const longest = Math.max(...[...plans.values()].map((plan) => plan.retentionDays));
  const cutoff = (days: number) => new Date(nowMs - days * DAY_MS);
  const droppedMonths = await dropSubjectsBefore(db, cutoff(longest));
  let deletedChecks = await forgetLateSubjects(db);
  deletedChecks += await deleteTestChecksBefore(db, cutoff(TEST_CHECKS_DAYS));
  for (const plan of plans.values()) {
    deletedChecks += await deleteSubjectsBefore(db, plan.name, [...plans.keys()], cutoff(plan.retentionDays));
    await deleteGroupsBefore(db, plan.name, [...plans.keys()], cutoff(plan.retentionDays));
  }
  deletedChecks += await repeatErasures(db);
  await forgetOldOutcomes(db, nowMs, cutoff(longest));
  await forgetOldReviews(db);
  await forgetOldRevisions(db);
  await forgetDepartedPolicies(db);
  await deleteBacktestsBefore(db, cutoff(BACKTEST_DAYS));
  await deleteOldGroups(db, cutoff(GROUPS_DAYS));
  await deleteMatchesBefore(db, cutoff(MATCHES_DAYS));
  const forgottenIps = await forgetAuditIps(db, cutoff(auditIpDays));
  return { droppedMonths, deletedChecks, forgottenIps };
}

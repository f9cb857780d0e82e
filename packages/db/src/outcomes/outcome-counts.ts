import { OUTCOMES, type PrecisionGroup } from '@verdict/domain/outcomes.js';
import type { Database } from '../database/client.js';
import { int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { readProposals } from './proposals.js';

const LabelCounts = { name: text, genuine: int, abuse: int, bounced: int, complained: int };
export type LabelCounts = RowOf<typeof LabelCounts>;

/** Newest outcomes that a precision is made of. */
const LABELS_MAX = 10_000;

/** Counts the labelled checks of one account. */
export function createOutcomeCounts(db: Database, accountId: string) {
  const ofAccount = Prisma.sql`account_id = ${accountId}`;
  /** Outcomes with the check that each is about: each check counts once, and an address by its newest check. */
  const labelled = Prisma.sql`
    said AS MATERIALIZED (
      SELECT subject, outcome FROM outcomes WHERE ${ofAccount} ORDER BY said_at DESC LIMIT ${LABELS_MAX}
    ), labelled AS MATERIALIZED (
      SELECT o.outcome, l.* FROM said o CROSS JOIN LATERAL (
        SELECT * FROM check_logs WHERE id = o.subject AND ${ofAccount} LIMIT 1) l
      UNION ALL
      SELECT o.outcome, l.* FROM said o CROSS JOIN LATERAL (
        SELECT s.id, s.created_at FROM check_subjects s
        WHERE s.email_hash = o.subject AND ${ofAccount}
          AND NOT EXISTS (SELECT FROM outcomes own WHERE own.account_id = ${accountId} AND own.subject = s.id)
        ORDER BY s.created_at DESC LIMIT 1
      ) n CROSS JOIN LATERAL (
        SELECT * FROM check_logs WHERE id = n.id AND created_at = n.created_at AND ${ofAccount} LIMIT 1) l
    )`;

  return {
    proposals: () => readProposals(db, accountId),

    /** Labelled checks by what decided them, the most frequent first; by source, of each domain that is listed as disposable. */
    countBy(group: PrecisionGroup, countMax: number): Promise<LabelCounts[]> {
      const counts = Prisma.join(
        OUTCOMES.map(
          (each) => Prisma.sql`count(*) FILTER (WHERE l.outcome = ${each})::int AS ${Prisma.raw(each)}`,
        ),
      );
      return rowsOf(db, LabelCounts)`
        WITH ${labelled}
        SELECT ${NAMES[group].name} AS name, ${counts} FROM labelled l ${NAMES[group].from} GROUP BY 1
        ORDER BY count(*) DESC, 1 LIMIT ${countMax}`;
    },
  };
}

const NAMES: Readonly<Record<PrecisionGroup, { readonly name: Prisma.Sql; readonly from: Prisma.Sql }>> = {
  code: {
    name: Prisma.sql`f.code`,
    from: Prisma.sql`CROSS JOIN LATERAL (
      SELECT DISTINCT e ->> 'code' AS code FROM jsonb_array_elements(l.factors) e) f`,
  },
  rule: {
    name: Prisma.sql`p.rules -> l.policy_rule::int ->> 'name'`,
    from: Prisma.sql`JOIN policies p ON p.account_id = l.account_id AND p.version = l.policy_version
      AND p.rules -> l.policy_rule::int ->> 'name' IS NOT NULL`,
  },
  source: {
    name: Prisma.sql`s.domain`,
    from: Prisma.sql`JOIN check_subjects s ON s.id = l.id AND s.created_at = l.created_at
      AND s.account_id = l.account_id AND (l.signals ->> 'disposable_email')::boolean`,
  },
  decision: { name: Prisma.sql`l.decision`, from: Prisma.empty },
};

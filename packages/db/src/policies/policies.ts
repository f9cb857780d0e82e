import type { Rule } from '@verdict/domain/policy/policy.js';
import { type Audit, audited } from '../accounts/audited.js';
import { changeAccount } from '../accounts/change-account.js';
import type { Database } from '../database/client.js';
import { columnsOf, json, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { readPolicyRules } from './read-policy-rules.js';
import { readRuleMatches } from './rule-matches.js';

/** The id is the version as text. */
const PolicyRow = { ...columnsOf('policy'), id: text };
export type PolicyRow = RowOf<typeof PolicyRow>;
const PolicySummaryRow = { ...columnsOf('policySummary'), id: text };
export type PolicySummaryRow = RowOf<typeof PolicySummaryRow>;

/** The versions in use. */
export interface PolicyState {
  readonly live: number | null;
  readonly shadow: number | null;
}

export const POLICIES_MAX = 1_000;

const SUMMARY = Prisma.sql`version::text AS id, version, note,
  ${timestampText('policies.created_at')} AS created_at, created_by`;
const SHOWN = Prisma.sql`${SUMMARY}, rules`;
const COLUMN = { live: Prisma.sql`policy_live`, shadow: Prisma.sql`policy_shadow` };

/** One account's policies, which nothing changes once they are written, and which of them is in use. */
export function createPolicies(db: Database, accountId: string) {
  const own = Prisma.sql`policies.account_id = ${accountId}`;
  /** Newest first, those before a version. */
  const newest = (before: { readonly id: string } | null, countMax: number) => Prisma.sql`
    FROM policies WHERE ${own} ${before ? Prisma.sql`AND version < ${Number(before.id)}` : Prisma.empty}
    ORDER BY version DESC LIMIT ${countMax}`;
  return {
    page: (before: { readonly id: string } | null, countMax: number): Promise<PolicySummaryRow[]> =>
      rowsOf(db, PolicySummaryRow)`
        SELECT ${SUMMARY}, jsonb_array_length(rules) AS rule_count ${newest(before, countMax)}`,

    /** The same with the rules, for the export of the account. */
    wholePage: (before: { readonly id: string } | null, countMax: number): Promise<PolicyRow[]> =>
      rowsOf(db, PolicyRow)`SELECT ${SHOWN} ${newest(before, countMax)}`,

    async find(version: number): Promise<PolicyRow | undefined> {
      const rows = await rowsOf(db, PolicyRow)`
        SELECT ${SHOWN} FROM policies WHERE ${own} AND version = ${version}`;
      return rows[0];
    },

    rules: (version: number) => readPolicyRules(db, accountId, version),

    async state(): Promise<PolicyState> {
      const select = { policyLive: true, policyShadow: true };
      const account = await db.account.findUnique({ where: { id: accountId }, select });
      return { live: account?.policyLive ?? null, shadow: account?.policyShadow ?? null };
    },

    /** Undefined when the account has as many versions as it may. Its row is locked, so numbers have no gaps. */
    async create(
      { rules, note, createdBy }: { rules: readonly Rule[]; note: string | null; createdBy: string | null },
      audit: Audit,
    ): Promise<PolicyRow | undefined> {
      const insert = Prisma.sql`
        INSERT INTO policies (account_id, version, rules, note, created_by)
        SELECT ${accountId}, coalesce(max(version), 0) + 1, ${JSON.stringify(rules)}::jsonb, ${note}, ${createdBy}
        FROM policies WHERE ${own} HAVING count(*) < ${POLICIES_MAX}
        RETURNING ${SHOWN}, jsonb_build_object('version', version) AS details`;
      const [, created] = await db.$transaction([
        db.$executeRaw`SELECT FROM accounts WHERE id = ${accountId} FOR UPDATE`,
        rowsOf(db, { ...PolicyRow, details: json })(audited(accountId, insert, audit)),
      ]);
      const [row] = created;
      if (!row) return undefined;
      const { details: _, ...policy } = row;
      return policy;
    },

    /** Puts another version to use. False when it was not `from` any more that was in use. */
    async use(
      kind: keyof PolicyState,
      { version, from }: { readonly version: number | null; readonly from: number | null },
      audit: Audit,
    ): Promise<boolean> {
      const { rows } = await changeAccount(db, {
        accountId,
        change: Prisma.sql`
          UPDATE accounts SET ${COLUMN[kind]} = ${version}::int
          WHERE id = ${accountId} AND ${COLUMN[kind]} IS NOT DISTINCT FROM ${from}::int
          RETURNING id`,
        returns: { id: text },
        audit,
      });
      return rows.length > 0;
    },

    matches: (names: readonly string[], days: number) => readRuleMatches(db, accountId, { names, days }),
  };
}

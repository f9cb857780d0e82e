import { monthOfCreatedAt } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';
import { int } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import type { CheckRow } from './check-row.js';
import { withPartitions } from './partitions.js';

/**
 * Writes checks of test keys where no count ever looks. Returns how many were new; a batch that is delivered twice changes
 * nothing here either.
 */
export function persistTestChecks(db: Database, rows: readonly CheckRow[]): Promise<number> {
  const months = [...new Set(rows.map((row) => monthOfCreatedAt(row.created_at)))];
  const input = JSON.stringify(rows.map(({ verdict, ...row }) => ({ ...row, ...verdict })));
  return withPartitions(db, months, async () => {
    const result = await rowsOf(db, { inserted: int })`
      WITH input AS MATERIALIZED (
        SELECT DISTINCT ON (id) * FROM jsonb_to_recordset(${input}::jsonb) AS r(id text, account_id text, key_id text,
          request_id text, created_at timestamptz, email text, domain text, email_hash text, mailbox_hash text, ip text,
          decision text, risk_score smallint, verdict_score smallint, signals jsonb, factors jsonb, datasets text, reasons jsonb,
          policy_version int, policy_rule smallint, extra text[], seen smallint[], ip_network text, shadow jsonb, mx text,
          tag text)
        ORDER BY id
      ), inserted AS (
        INSERT INTO test_check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id,
          created_at, verdict_score, policy_version, policy_rule, extra, seen, ip_network, shadow, tag)
        SELECT id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at,
          verdict_score, policy_version, policy_rule, extra, seen, ip_network, shadow, tag
        FROM input
        ON CONFLICT DO NOTHING
        RETURNING id
      ), subjects AS (
        INSERT INTO check_subjects (id, account_id, email, domain, email_hash, mailbox_hash, ip, mx, reasons, created_at)
        SELECT id, account_id, email, domain, email_hash, mailbox_hash, ip, mx, reasons, created_at
        FROM input JOIN inserted USING (id)
      )
      SELECT count(*)::int AS inserted FROM inserted`;
    return result[0]?.inserted ?? 0;
  });
}

import { KEY_MODES, KEY_SCOPES } from '@verdict/domain/key-words.js';
import type { Database } from '../database/client.js';
import {
  bool,
  entries,
  int,
  json,
  list,
  nullable,
  oneOf,
  type RowOf,
  record,
  text,
} from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { SealedHookRow } from '../hooks/hook-row.js';
import { LISTED } from '../lists/list-entries.js';

const Row = {
  version: int,
  lists_version: int,
  plan: text,
  /** Where the customer lets checks stop; null: where the plan does. */
  checks_cap: nullable(int),
  settings: record({ bursts: bool, ip_intelligence: bool }),
  /** Fingerprint of the customer's own proxy. */
  own_proxy: nullable(text),
  /** Versions of its policy, and the rules of those. */
  policies: record({ live: nullable(int), shadow: nullable(int), rules: entries(json) }),
  /** The plan of a pending downgrade. */
  next: nullable(record({ plan: text, fromMicros: int })),
  /** Hash and status of every secret that may still be shown, and which key it belongs to. */
  secrets: list(
    record({
      keyId: text,
      secretHash: text,
      status: oneOf('active', 'inactive'),
      /** When a rolled secret ends; null for the present one. */
      untilMicros: nullable(int),
      mode: oneOf(...KEY_MODES),
      /** Terms of the key. */
      expiresMicros: nullable(int),
      allowedIps: list(text),
      monthlyQuota: nullable(int),
      scopes: list(oneOf(...KEY_SCOPES)),
    }),
  ),
  /** Sign-up hooks, their secrets encrypted as Postgres keeps them. */
  hooks: list(record(SealedHookRow)),
  /**
   * Counts of the running month and its neighbours, late checks included: Redis may see the turn of the month a moment
   * apart from us.
   */
  used: list(record({ month: text, checks: int })),
  /** The same by key, where there is something. */
  key_used: list(record({ month: text, keyId: text, checks: int })),
  lists: nullable(list(record(LISTED))),
};
type Row = RowOf<typeof Row>;

export type ProjectionSnapshot = Readonly<
  Omit<Row, 'lists_version' | 'key_used' | 'own_proxy'> & {
    listsVersion: Row['lists_version'];
    keyUsed: Row['key_used'];
    ownProxy: Row['own_proxy'];
  }
>;

/** While an account is suspended none of its keys is active; each gets its own status back afterwards. */
const STATUS = Prisma.sql`CASE WHEN a.suspended_at IS NULL THEN k.status ELSE 'inactive' END`;

/** An account as one statement saw it: version and content belong together. Null when there is no such account. */
export async function readProjectionSnapshot(
  db: Database,
  accountId: string,
  withLists: boolean,
): Promise<ProjectionSnapshot | null> {
  const rows = await rowsOf(db, Row)`
    SELECT a.version, a.lists_version, a.plan, a.own_proxy,
      (SELECT s.checks_cap::float8 FROM spending_limits s WHERE s.account_id = a.id) AS checks_cap,
      jsonb_build_object('bursts', a.bursts, 'ip_intelligence', a.ip_intelligence) AS settings,
      jsonb_build_object('live', a.policy_live, 'shadow', a.policy_shadow, 'rules', (
        SELECT coalesce(jsonb_object_agg(p.version, p.rules), '{}') FROM policies p
        WHERE p.account_id = a.id AND p.version IN (a.policy_live, a.policy_shadow))) AS policies,
      (SELECT jsonb_build_object('plan', c.to_plan, 'fromMicros', (extract(epoch FROM c.effective_at) * 1000000)::bigint)
       FROM plan_changes c WHERE c.account_id = a.id AND c.applied_at IS NULL AND c.withdrawn_at IS NULL
       ORDER BY c.effective_at LIMIT 1) AS next,
      (SELECT coalesce(jsonb_agg(jsonb_build_object(
                'keyId', s.key_id, 'secretHash', s.secret_hash, 'status', s.status, 'untilMicros', s.until_micros,
                'expiresMicros', (extract(epoch FROM s.expires_at) * 1000000)::bigint, 'allowedIps', s.allowed_ips,
                'monthlyQuota', s.monthly_quota, 'mode', s.mode, 'scopes', s.scopes)), '[]')
       FROM (
         SELECT k.id AS key_id, k.secret_hash, ${STATUS} AS status, NULL::bigint AS until_micros, k.expires_at,
           k.allowed_ips, k.monthly_quota, k.scopes, k.mode
         FROM api_keys k WHERE k.account_id = a.id AND k.status <> 'revoked'
         UNION ALL
         SELECT k.id, r.secret_hash, ${STATUS}, (extract(epoch FROM r.expires_at) * 1000000)::bigint, k.expires_at,
           k.allowed_ips, k.monthly_quota, k.scopes, k.mode
         FROM api_keys k JOIN retired_secrets r ON r.key_id = k.id
         WHERE k.account_id = a.id AND k.status <> 'revoked' AND r.expires_at > now()
       ) s) AS secrets,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'kind', h.kind, 'key_id', h.key_id, 'refuse', h.refuse,
                'on_error', h.on_error, 'message', h.message, 'secret', h.secret)), '[]')
       FROM hooks h WHERE h.account_id = a.id) AS hooks,
      (SELECT jsonb_agg(jsonb_build_object('month', to_char(m.start, 'YYYY-MM'), 'checks', (
                SELECT coalesce(sum(u.checks), 0)::bigint
                FROM (SELECT account_id, hour, checks FROM usage_hourly
                      UNION ALL SELECT account_id, hour, checks FROM usage_adjustments) u
                WHERE u.account_id = a.id AND u.hour >= m.start AT TIME ZONE 'UTC'
                  AND u.hour < (m.start + interval '1 month') AT TIME ZONE 'UTC')))
       FROM generate_series(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month',
                            date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month',
                            interval '1 month') AS m(start)) AS used,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('month', n.month, 'keyId', n.key_id, 'checks', n.checks)), '[]')
       FROM (SELECT to_char(u.hour AT TIME ZONE 'UTC', 'YYYY-MM') AS month, u.key_id, sum(u.checks)::bigint AS checks
             FROM (SELECT account_id, key_id, hour, checks FROM usage_hourly
                   UNION ALL SELECT account_id, key_id, hour, checks FROM usage_adjustments) u
             JOIN api_keys k ON k.id = u.key_id AND k.status <> 'revoked'
             WHERE u.account_id = a.id AND u.hour >= date_trunc('month', now(), 'UTC')
             GROUP BY 1, 2) n) AS key_used,
      CASE WHEN ${withLists} THEN
        (SELECT coalesce(jsonb_agg(jsonb_build_object('value', e.value, 'list', e.list, 'kind', e.kind, 'match', e.match,
                'expires_at', ${timestampText('e.expires_at')})), '[]')
         FROM list_entries e WHERE e.account_id = a.id)
      END AS lists
    FROM accounts a WHERE a.id = ${accountId}`;
  const row = rows[0];
  if (!row) return null;
  const { lists_version: listsVersion, key_used: keyUsed, own_proxy: ownProxy, ...same } = row;
  return { ...same, listsVersion, keyUsed, ownProxy };
}

import {
  KEY_NETWORKS_A_DAY_MAX,
  KEY_USES_DAYS,
  type KeyUse,
  type KeyUsesReport,
} from '@verdict/contracts/key-uses.js';
import type { Database } from '../database/client.js';
import { columnsOf, type RowOf } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { storeClientUses } from './client-uses.js';

const KeyNetwork = columnsOf('keyNetwork');
export type KeyNetwork = RowOf<typeof KeyNetwork>;

/** Networks that a listing shows, the last used first. */
const SHOWN_MAX = 100;

/** Stores a report whole or not at all, because a gateway sends again what was refused. */
export async function storeKeyUses(db: Database, { clients, networks }: KeyUsesReport): Promise<void> {
  await db.$transaction([storeClientUses(db, clients), storeNetworks(db, networks)]);
}

/** Adds to the counts of today, and notes when the old value of a rolled key was used. */
const storeNetworks = (db: Database, uses: readonly KeyUse[]) =>
  db.$executeRaw`
    WITH sent AS MATERIALIZED (
      SELECT k.id AS key_id, u.credential, u.network, u.requests
      FROM jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
        AS u (account_id text, key_id text, credential text, network text, requests bigint)
      JOIN api_keys k ON k.id = u.key_id AND k.account_id = u.account_id
    ), old AS (
      UPDATE retired_secrets r SET last_used_at = now() FROM sent s
      WHERE r.key_id = s.key_id AND left(r.secret_hash, length(s.credential)) = s.credential
    )
    INSERT INTO key_uses AS kept (key_id, day, network, requests)
    SELECT s.key_id, (now() AT TIME ZONE 'UTC')::date, s.network, sum(s.requests)
    FROM sent s
    WHERE (SELECT count(*) FROM key_uses u WHERE u.key_id = s.key_id AND u.day = (now() AT TIME ZONE 'UTC')::date)
            < ${KEY_NETWORKS_A_DAY_MAX}
       OR EXISTS (SELECT FROM key_uses u WHERE u.key_id = s.key_id AND u.network = s.network
                  AND u.day = (now() AT TIME ZONE 'UTC')::date)
    GROUP BY s.key_id, s.network
    ORDER BY s.key_id, s.network
    ON CONFLICT (key_id, day, network) DO UPDATE SET requests = kept.requests + excluded.requests, last_at = now()`;

export const deleteOldKeyUses = (db: Database): Promise<number> =>
  db.$executeRaw`
    DELETE FROM key_uses WHERE day < (now() AT TIME ZONE 'UTC')::date - ${KEY_USES_DAYS}::int`;

/** Where the keys of an account were used from. */
export function createKeyNetworks(db: Database, accountId: string) {
  return {
    list: (keyId: string): Promise<KeyNetwork[]> => rowsOf(db, KeyNetwork)`
      SELECT u.network, sum(u.requests)::float8 AS requests, ${timestampText('min(u.first_at)')} AS first_at,
        ${timestampText('max(u.last_at)')} AS last_at
      FROM key_uses u JOIN api_keys k ON k.id = u.key_id
      WHERE k.account_id = ${accountId} AND k.id = ${keyId}
        AND u.day >= (now() AT TIME ZONE 'UTC')::date - ${KEY_USES_DAYS}::int
      GROUP BY u.network ORDER BY max(u.last_at) DESC, u.network LIMIT ${SHOWN_MAX}`,
  };
}

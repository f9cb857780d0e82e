import type { ClientUse } from '@verdict/contracts/client-uses.js';
import type { Database } from '../database/client.js';
import { int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

const USED_WITHIN_DAYS = 30;
const CLIENTS_SHOWN = 50;
const DROPPED_MAX = 2_000_000_000;

/** Writes what the keys were used by. A key that is gone, or whose client is the same, is left out. */
export const storeClientUses = (db: Database, uses: readonly ClientUse[]) =>
  db.$executeRaw`
    UPDATE api_keys k
    SET client = coalesce(u.client, k.client),
      dropped_ips = least(k.dropped_ips::bigint + u.dropped_ips, ${DROPPED_MAX})::int,
      dropped_ips_at = CASE WHEN u.dropped_ips > 0 THEN now() ELSE k.dropped_ips_at END
    FROM jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
      AS u (account_id text, key_id text, client text, dropped_ips int)
    WHERE k.id = u.key_id AND k.account_id = u.account_id
      AND (u.dropped_ips > 0 OR coalesce(u.client, k.client) IS DISTINCT FROM k.client)`;

const ClientInUse = { client: text, keys: int, accounts: int };

/** Clients by the keys that they used last, the most used first. */
export const listClientsInUse = (db: Database): Promise<RowOf<typeof ClientInUse>[]> =>
  rowsOf(db, ClientInUse)`
    SELECT client, count(*)::int AS keys, count(DISTINCT account_id)::int AS accounts FROM api_keys
    WHERE client IS NOT NULL AND status <> 'revoked' AND last_used_at > now() - make_interval(days => ${USED_WITHIN_DAYS})
    GROUP BY client ORDER BY keys DESC, client LIMIT ${CLIENTS_SHOWN}`;

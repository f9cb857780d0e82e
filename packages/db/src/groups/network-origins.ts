import { GROUP_NETWORK } from '../checks/of-network.js';
import { SAME_CHECK } from '../checks/same-check.js';
import type { Database } from '../database/client.js';
import { type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { SORT_MEMORY } from './sort-memory.js';

/** A network and an IP in it. */
const SeenNetwork = { network: text, ip: text };
type SeenNetwork = RowOf<typeof SeenNetwork>;

export interface NetworkOrigin {
  readonly network: string;
  readonly country: string | null;
  readonly asn: number | null;
}

/** Days after which scoring is asked again about a network. */
const TOLD_DAYS = 30;

/** Networks that are asked about after one read of an hour: a busy hour has tens of thousands that were never seen. */
const NETWORKS_MAX = 100_000;

/** Networks of the hour's checks whose origin is not known; none of accounts that do not have their IPs looked up. */
export async function unknownNetworks(
  db: Database,
  hour: string,
  accountIds: readonly string[],
): Promise<SeenNetwork[]> {
  const start = Prisma.sql`${hour}::timestamptz`;
  const [, networks] = await db.$transaction([
    db.$executeRaw(SORT_MEMORY),
    rowsOf(db, SeenNetwork)`
      SELECT n.network, n.ip FROM (
        SELECT ${GROUP_NETWORK} AS network, min(s.ip) AS ip
        FROM check_logs l JOIN check_subjects s ON ${SAME_CHECK}
          AND s.created_at >= ${start} AND s.created_at < ${start} + interval '1 hour'
        WHERE l.account_id = ANY(ARRAY(SELECT id FROM accounts WHERE id = ANY(${[...accountIds]}::text[]) AND ip_intelligence))
          AND l.created_at >= ${start} AND l.created_at < ${start} + interval '1 hour' AND s.ip IS NOT NULL
        GROUP BY 1
      ) n LEFT JOIN network_origins o ON o.network = n.network AND o.told_at > now() - make_interval(days => ${TOLD_DAYS})
      WHERE o.network IS NULL ORDER BY n.network LIMIT ${NETWORKS_MAX}`,
  ]);
  return networks;
}

export async function storeOrigins(db: Database, origins: readonly NetworkOrigin[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO network_origins (network, country, asn)
    SELECT e.network, e.country, e.asn
    FROM jsonb_to_recordset(${JSON.stringify(origins)}::jsonb) AS e(network text, country text, asn bigint)
    ORDER BY e.network
    ON CONFLICT (network) DO UPDATE SET country = excluded.country, asn = excluded.asn, told_at = excluded.told_at`;
}

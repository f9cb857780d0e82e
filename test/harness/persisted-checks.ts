import { eventually } from '@verdict/local-stack/eventually.js';
import type { QueryResultRow } from 'pg';

type Sql = <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface PersistedChecks {
  readonly rows: number;
  /** What the billing team would read. */
  readonly rollup: number;
  /** Accepted checks without a row: must be none. */
  readonly lost: readonly string[];
}

/** Waits until no more rows of the account arrive, then compares them with what clients were told and what is billed. */
export async function persistedChecks(
  sql: Sql,
  accountId: string,
  accepted: readonly string[],
): Promise<PersistedChecks> {
  const count = async () => {
    const [row] = await sql<{ n: string }>(
      'SELECT count(*)::text AS n FROM check_logs WHERE account_id = $1',
      [accountId],
    );
    return Number(row?.n ?? 0);
  };
  let last = -1;
  await eventually(
    async () => {
      const before = last;
      last = await count();
      return last === before && last >= accepted.length;
    },
    { withinMs: 240_000, everyMs: 2_000 },
  ).catch(() => undefined);
  const ids = new Set(
    (await sql<{ id: string }>('SELECT id FROM check_logs WHERE account_id = $1', [accountId])).map(
      ({ id }) => id,
    ),
  );
  const [rollup] = await sql<{ n: string }>(
    'SELECT coalesce(sum(checks), 0)::text AS n FROM usage_hourly WHERE account_id = $1',
    [accountId],
  );
  return { rows: ids.size, rollup: Number(rollup?.n ?? 0), lost: accepted.filter((id) => !ids.has(id)) };
}

import { eventually } from '@verdict/local-stack/eventually.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';

export type PersistedChecks = Awaited<ReturnType<typeof persistedChecks>>;

/** Waits until no more rows of the account arrive, then compares them with the answers and the bill. */
export async function persistedChecks(sql: TestStack['sql'], accountId: string, accepted: readonly string[]) {
  let ids = new Set<string>();
  let before = -1;
  const isComplete = async () => {
    const rows = await sql<{ id: string }>('SELECT id FROM check_logs WHERE account_id = $1', [accountId]);
    ids = new Set(rows.map(({ id }) => id));
    const isSteady = ids.size === before;
    before = ids.size;
    return isSteady && ids.size >= accepted.length;
  };
  await eventually(isComplete, { withinMs: 240_000, everyMs: 2_000 }).catch(() => undefined);
  const [rollup] = await sql<{ n: number }>(
    'SELECT coalesce(sum(checks), 0)::int AS n FROM usage_hourly WHERE account_id = $1',
    [accountId],
  );
  return {
    rows: ids.size,
    /** The number of checks that the billing team reads. */
    rollup: rollup?.n ?? 0,
    /** Accepted checks without a row: must be none. */
    lost: accepted.filter((id) => !ids.has(id)),
  };
}

import type { UsageQuery, UsageRow } from '@verdict/db/billing/usage-reading.js';
import type { PageTurn } from '../http/download-turns.js';

const PAGE_SIZE = 5_000;

interface Usage {
  sums(query: UsageQuery, after: UsageRow | null, countMax: number): Promise<UsageRow[]>;
}

/** Reads sums to their end, page after page: there may be one for each hour of each key. */
export async function* everySum(usage: Usage, query: UsageQuery, turn: PageTurn): AsyncGenerator<UsageRow> {
  let after: UsageRow | null = null;
  do {
    const from: UsageRow | null = after;
    const rows: UsageRow[] = await turn(() => usage.sums(query, from, PAGE_SIZE), from !== null);
    yield* rows;
    after = rows.length < PAGE_SIZE ? null : (rows.at(-1) ?? null);
  } while (after);
}

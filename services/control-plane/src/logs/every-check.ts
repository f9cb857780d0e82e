import type { LogFilter, LogRow } from '@verdict/db/checks/log-search.js';
import { readArchivedChecks } from '@verdict/db/facts/read-archived-checks.js';
import type { Dependencies } from '../dependencies.js';
import { everyRow } from '../http/send-csv.js';

const PAGE_SIZE = 500;

/** The checks that a filter names, newest first: those of Postgres, and then those of archived days. */
export async function* everyCheck(
  { config, search, largeWork }: Pick<Dependencies, 'config' | 'search' | 'largeWork'>,
  accountId: string,
  filter: LogFilter,
  signal: AbortSignal,
): AsyncGenerator<LogRow> {
  yield* everyRow(PAGE_SIZE, (before, countMax) =>
    search(accountId, ({ logs }) => logs.page(filter, before, countMax), {
      signal,
      isUnderWay: before !== null,
    }),
  );
  const { FACTS_DIR: folder } = config;
  if (folder === undefined) return;
  const wait = { signal, isUnderWay: true };
  const days = await search(accountId, ({ logs }) => logs.archivedDays(filter), wait);
  for (const day of days.toReversed()) {
    const pages = readArchivedChecks(folder, day, accountId);
    for (;;) {
      // To unpack rows takes the event loop that everybody shares.
      const { value: rows, done } = await largeWork(accountId, () => pages.next(), wait);
      if (done) break;
      for (let i = 0; i < rows.length; i += PAGE_SIZE) {
        const part = rows.slice(i, i + PAGE_SIZE);
        yield* await search(accountId, ({ logs }) => logs.pageOfArchive(part, filter), wait);
      }
    }
  }
}

import { createLogSearch } from '../checks/log-search.js';
import type { Database } from '../database/client.js';
import { createGroupReading } from '../groups/group-reading.js';
import { createListImpact } from '../lists/list-impact.js';
import { createOutcomeCounts } from '../outcomes/outcome-counts.js';
import { readShadowReport } from '../policies/shadow-report.js';
import { readNewestChecks } from '../policies/stored-checks.js';

export type AccountSearches = ReturnType<typeof searchesOf>;

/**
 * The reads of one account that may take a month of rows. They are apart from its scope, so that only a caller with a turn
 * has the connections that they run on.
 */
export function searchesOf(db: Database, accountId: string) {
  return {
    logs: createLogSearch(db, accountId),
    impact: createListImpact(db, accountId),
    groups: createGroupReading(db, accountId),
    outcomes: createOutcomeCounts(db, accountId),
    shadowReport: (version: number) => readShadowReport(db, accountId, version),
    newestChecks: (countMax: number) => readNewestChecks(db, accountId, countMax),
  };
}

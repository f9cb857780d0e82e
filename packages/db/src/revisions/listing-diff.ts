import type { Database } from '../database/client.js';
import { bool, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

const DifferenceRow = { domain: text, source: text, listed: bool, day: text };
export type DifferenceRow = RowOf<typeof DifferenceRow>;

/** Names that sources began or ceased to list after a day, up to another. One that came and went is neither. */
export const listingDiff = (db: Database, after: string, upTo: string): Promise<DifferenceRow[]> =>
  rowsOf(db, DifferenceRow)`
    SELECT domain, source, (words)[1] AS listed, day::text AS day FROM (
      SELECT c.domain, c.source, array_agg(c.listed ORDER BY l.noted_at, l.id) AS words, max(c.day) AS day
      FROM listing_changes c JOIN second_looks l ON l.id = c.look_id
      WHERE c.day > ${after}::date AND c.day <= ${upTo}::date GROUP BY 1, 2
    ) n WHERE (words)[1] = (words)[cardinality(words)] ORDER BY domain, source`;

import type { ListingChanged } from '@verdict/domain/listing-intervals.js';
import type { Database } from '../database/client.js';
import { bool, type Shape, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

interface NamedChange extends ListingChanged {
  readonly domain: string;
}

const NamedChange: Shape<NamedChange> = { domain: text, source: text, listed: bool, day: text };

/** All changes of sources about these names, oldest first. */
export const listingHistory = (db: Database, names: readonly string[]): Promise<NamedChange[]> =>
  rowsOf(db, NamedChange)`
    SELECT c.domain, c.source, c.listed, c.day::text AS day
    FROM listing_changes c JOIN second_looks l ON l.id = c.look_id
    WHERE c.domain = ANY(${[...names]}::text[]) ORDER BY l.noted_at, l.id`;

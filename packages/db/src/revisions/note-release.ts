import type { Database } from '../database/client.js';
import { bool, list, oneOf, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** Stored checks of so many days before a release are looked at again. */
const SECOND_LOOK_DAYS = 30;
/** A poisoned release is rolled back within this time, before it has revised anything. */
const SECOND_LOOK_WAIT_SECONDS = 3_600;

const NewestLook = {
  changed_at: text,
  release: text,
  base: text,
  status: oneOf('searching', 'revising', 'held', 'done', 'replaced', 'failed'),
  names: list(text),
  hosts: list(text),
  /** Looks since the last one that was done have revised checks. */
  begun: bool,
};
export type NewestLook = RowOf<typeof NewestLook>;

/** The release that came into force last, as far as it was noted. */
export async function newestLook(db: Database): Promise<NewestLook | undefined> {
  const [newest] = await rowsOf(db, NewestLook)`
    SELECT changed_at, release, base, status, names, hosts, EXISTS (
      SELECT FROM revisions r JOIN second_looks l ON l.id = r.look_id
      WHERE l.noted_at > coalesce((SELECT max(d.noted_at) FROM second_looks d WHERE d.status = 'done'), '-infinity')
    ) AS begun
    FROM second_looks ORDER BY noted_at DESC, id DESC LIMIT 1`;
  return newest;
}

interface NotedRelease {
  readonly id: string;
  /** Of the index of releases. */
  readonly changedAt: string;
  readonly release: string;
  readonly base: string;
  /** Names whose listing changed the score since the base. */
  readonly names: readonly string[];
  /** Mail servers that are known otherwise since the base. */
  readonly hosts: readonly string[];
  /** Changes of sources since the release before. */
  readonly changes: readonly { readonly domain: string; readonly source: string; readonly listed: boolean }[];
}

/**
 * Appends what a release changed to the history and queues the second look, in one statement: once for a change of the
 * index, whichever worker is first. A look that was not done is replaced by the new one, which has its names.
 */
export async function noteRelease(
  db: Database,
  { id, changedAt, release, base, names, hosts, changes }: NotedRelease,
): Promise<void> {
  const status = names.length + hosts.length === 0 ? 'done' : 'searching';
  await db.$executeRaw`
    WITH look AS (
      INSERT INTO second_looks (id, changed_at, release, base, status, names, hosts, from_at, to_at, cursor_at, leased_until)
      SELECT ${id}, ${changedAt}, ${release}, ${base}, ${status}, ${[...names]}::text[], ${[...hosts]}::text[], t.from_at, t.due, t.from_at, t.due
      FROM (SELECT now() - make_interval(days => ${SECOND_LOOK_DAYS}::int) AS from_at,
        now() + make_interval(secs => ${SECOND_LOOK_WAIT_SECONDS}) AS due) t
      ON CONFLICT (changed_at) DO NOTHING
      RETURNING id
    ), replaced AS (
      UPDATE second_looks SET status = 'replaced'
      WHERE status IN ('searching', 'revising', 'held') AND EXISTS (SELECT FROM look)
    ), forgotten AS (
      DELETE FROM second_look_checks WHERE EXISTS (SELECT FROM look)
    )
    INSERT INTO listing_changes (domain, source, look_id, listed, day)
    SELECT c.domain, c.source, look.id, c.listed, (now() AT TIME ZONE 'UTC')::date
    FROM look, jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c(domain text, source text, listed boolean)`;
}

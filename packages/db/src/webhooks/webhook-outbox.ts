import type { Database } from '../database/client.js';
import { bool, entries, float, int, json, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** A message with all that is needed to send it. */
const OutgoingWebhook = {
  id: text,
  account_id: text,
  endpoint_id: text,
  event_id: text,
  type: text,
  timestamp: text,
  data: entries(json),
  attempts: int,
  attempts_before: int,
  url: text,
  /** Encrypted; the old one only while its overlap lasts. */
  secret: text,
  old_secret: nullable(text),
  failures: int,
};
export type OutgoingWebhook = RowOf<typeof OutgoingWebhook>;

interface ClaimOptions {
  /** Places that the worker has left for the first message of an account to an endpoint that answers quickly. */
  readonly free: number;
  /** Places that it has left for all other messages. */
  readonly shared: number;
  readonly perAccountMax: number;
  /** Failures in a row from which an endpoint gets one message at a time. */
  readonly circuitFailures: number;
  /** How long the worker has to send it before it is due again. */
  readonly leaseSeconds: number;
}

/** Messages under way to one endpoint that answers quickly. The column `places` begins with it. */
export const PLACES_MAX = 4;
/** Any number that no other lock of ours has: claims are made one after the other, so that places are counted rightly. */
const CLAIM_LOCK = 7_263_401;

const isDue = Prisma.sql`d.status = 'pending' AND d.next_attempt_at <= now()
  AND (d.queued_until IS NULL OR d.queued_until <= now())`;

/** Whether a claim might find anything: one short statement, for workers with nothing to do. */
export async function hasDueDeliveries(db: Database): Promise<boolean> {
  const [found] = await rowsOf(db, { due: bool })`
    SELECT EXISTS (SELECT FROM webhook_deliveries d WHERE ${isDue}) AS due`;
  return found?.due ?? false;
}

/**
 * Leases messages to send now. Accounts take turns: whoever has the fewest under way comes first, and what is slow or a
 * second message leaves the last places to others, so that nobody's endpoints hold up everybody's.
 */
export async function claimDueDeliveries(
  db: Database,
  { free, shared, perAccountMax, circuitFailures, leaseSeconds }: ClaimOptions,
): Promise<OutgoingWebhook[]> {
  const [, claimed] = await db.$transaction([
    // A separate statement: the next one must see what the previous claim has committed.
    db.$executeRaw`SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`,
    rowsOf(db, OutgoingWebhook)`
      WITH busy AS MATERIALIZED (
        SELECT account_id, endpoint_id, count(*)::int AS messages FROM webhook_deliveries
        WHERE status = 'pending' AND queued_until > now() GROUP BY account_id, endpoint_id
      ), open AS (
        SELECT e.id, e.account_id, e.failures > 0 OR e.places < ${PLACES_MAX} AS slow,
          CASE WHEN e.failures >= ${circuitFailures} THEN 1 ELSE e.places END
            - coalesce((SELECT messages FROM busy b WHERE b.endpoint_id = e.id), 0) AS places
        FROM webhook_endpoints e JOIN accounts a ON a.id = e.account_id
        WHERE e.status = 'enabled' AND a.suspended_at IS NULL
          AND (e.paused_until IS NULL OR e.paused_until <= now())
          AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND ${isDue})
      ), waiting AS (
        SELECT d.id, d.next_attempt_at, o.slow,
          coalesce((SELECT sum(messages) FROM busy b WHERE b.account_id = o.account_id), 0)
            + row_number() OVER (PARTITION BY o.account_id ORDER BY d.next_attempt_at, d.id) AS of_account
        FROM open o CROSS JOIN LATERAL (
          SELECT d.id, d.next_attempt_at FROM webhook_deliveries d WHERE d.endpoint_id = o.id AND ${isDue}
          ORDER BY d.next_attempt_at, d.id LIMIT greatest(o.places, 0)
        ) d
      ), ranked AS (
        SELECT id, slow OR of_account > 1 AS shares,
          row_number() OVER (ORDER BY slow OR of_account > 1, of_account, next_attempt_at, id) AS place
        FROM waiting WHERE of_account <= ${perAccountMax}
      ), chosen AS (
        SELECT d.id FROM webhook_deliveries d JOIN ranked r ON r.id = d.id
        WHERE r.place <= CASE WHEN r.shares THEN ${shared}::int ELSE ${free}::int END FOR UPDATE OF d SKIP LOCKED
      )
      UPDATE webhook_deliveries d SET queued_until = now() + make_interval(secs => ${leaseSeconds})
      FROM chosen, webhook_events e, webhook_endpoints p
      WHERE d.id = chosen.id AND e.id = d.event_id AND p.id = d.endpoint_id
      RETURNING d.id, d.account_id, d.endpoint_id, d.event_id, e.type, ${timestampText('e.created_at')} AS timestamp,
        e.data, d.attempts, d.attempts_before, p.url, p.secret, p.failures,
        CASE WHEN p.old_secret_expires_at > now() THEN p.old_secret END AS old_secret`,
  ]);
  return claimed;
}

/** Ends the lease of a message that was not sent: the next worker need not wait for it. */
export async function releaseDelivery(db: Database, { id, attempts }: OutgoingWebhook): Promise<void> {
  await db.$executeRaw`
    UPDATE webhook_deliveries SET queued_until = NULL
    WHERE id = ${id} AND status = 'pending' AND attempts = ${attempts}`;
}

const OutboxState = {
  pending: int,
  /** Seconds since the longest awaited was due. */
  oldest_seconds: float,
};
export type OutboxState = RowOf<typeof OutboxState>;

/** Counts the deliveries that are due and not sent yet, for the metrics. */
export async function readOutboxState(db: Database): Promise<OutboxState> {
  const [state] = await rowsOf(db, OutboxState)`
    SELECT count(*)::int AS pending,
      coalesce(extract(epoch FROM now() - min(next_attempt_at) FILTER (WHERE next_attempt_at <= now())), 0)::float8
        AS oldest_seconds
    FROM webhook_deliveries WHERE status = 'pending'`;
  return state ?? { pending: 0, oldest_seconds: 0 };
}

import { CIRCUIT_PAUSE_SECONDS_MAX } from '@verdict/domain/webhook-schedule.js';
import type { Database } from '../database/client.js';
import { bool, entries, float, int, json, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { isAhead, isDue, isLeased, take } from '../work/lease.js';
import { QUEUES } from '../work/queues.js';

/** A message with all that is needed to send it. */
const OutgoingWebhook = {
  id: text,
  lease: int,
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
}

/** Messages under way to one endpoint that answers quickly. The column `places` begins with it. */
export const PLACES_MAX = 4;
/** Any number that no other lock of ours has: claims are made one after the other, so that places are counted rightly. */
const CLAIM_LOCK = 7_263_401;

/** Whether a claim might find anything: one short statement, for workers with nothing to do. */
export async function hasDueDeliveries(db: Database): Promise<boolean> {
  const [found] = await rowsOf(db, { due: bool })`
    SELECT EXISTS (SELECT FROM webhook_deliveries w WHERE ${isDue(QUEUES.webhooks)}) AS due`;
  return found?.due ?? false;
}

/**
 * Leases messages to send now. Accounts take turns: whoever has the fewest under way comes first, and what is slow or a
 * second message leaves the last places to others, so that nobody's endpoints hold up everybody's.
 */
export async function claimDueDeliveries(db: Database, options: ClaimOptions): Promise<OutgoingWebhook[]> {
  const [, claimed] = await db.$transaction([
    // A separate statement: the next one must see what the previous claim has committed.
    db.$executeRaw`SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`,
    rowsOf(db, OutgoingWebhook)`
      ${take(QUEUES.webhooks, fairly(options))}
      SELECT d.id, d.lease, d.account_id, d.endpoint_id, d.event_id, e.type, ${timestampText('e.created_at')} AS timestamp,
        e.data, d.attempts, d.attempts_before, p.url, p.secret, p.failures,
        CASE WHEN p.old_secret_expires_at > now() THEN p.old_secret END AS old_secret
      FROM taken d JOIN webhook_events e ON e.id = d.event_id JOIN webhook_endpoints p ON p.id = d.endpoint_id`,
  ]);
  return claimed;
}

/** The ids of the messages whose turn it is. */
const fairly = ({ free, shared, perAccountMax, circuitFailures }: ClaimOptions): Prisma.Sql => Prisma.sql`
  WITH busy AS MATERIALIZED (
    SELECT account_id, endpoint_id, count(*)::int AS messages FROM webhook_deliveries d
    WHERE status = 'pending' AND ${isLeased(QUEUES.webhooks, 'd')} GROUP BY account_id, endpoint_id
  ), open AS (
    SELECT e.id, e.account_id, e.failures > 0 OR e.places < ${PLACES_MAX} AS slow,
      CASE WHEN e.failures >= ${circuitFailures} THEN 1 ELSE e.places END
        - coalesce((SELECT messages FROM busy b WHERE b.endpoint_id = e.id), 0) AS places
    FROM webhook_endpoints e JOIN accounts a ON a.id = e.account_id
    WHERE e.status = 'enabled' AND a.suspended_at IS NULL
      AND NOT ${isAhead('e.paused_until', CIRCUIT_PAUSE_SECONDS_MAX)}
      AND EXISTS (SELECT FROM webhook_deliveries w WHERE w.endpoint_id = e.id AND ${isDue(QUEUES.webhooks)})
  ), waiting AS (
    SELECT d.id, d.next_attempt_at, o.slow,
      coalesce((SELECT sum(messages) FROM busy b WHERE b.account_id = o.account_id), 0)
        + row_number() OVER (PARTITION BY o.account_id ORDER BY d.next_attempt_at, d.id) AS of_account
    FROM open o CROSS JOIN LATERAL (
      SELECT w.id, w.next_attempt_at FROM webhook_deliveries w WHERE w.endpoint_id = o.id AND ${isDue(QUEUES.webhooks)}
      ORDER BY ${QUEUES.webhooks.order} LIMIT greatest(o.places, 0)
    ) d
  ), ranked AS (
    SELECT id, slow OR of_account > 1 AS shares,
      row_number() OVER (ORDER BY slow OR of_account > 1, of_account, next_attempt_at, id) AS place
    FROM waiting WHERE of_account <= ${perAccountMax}
  )
  SELECT d.id FROM webhook_deliveries d JOIN ranked r ON r.id = d.id
  WHERE r.place <= CASE WHEN r.shares THEN ${shared}::int ELSE ${free}::int END FOR UPDATE OF d SKIP LOCKED`;

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

import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { giveUpIfDisabled } from './webhook-endpoints.js';

/** Which attempt of which delivery is due. */
export interface DueDelivery {
  readonly id: string;
  readonly attempts: number;
}

interface ClaimOptions {
  readonly countMax: number;
  /** Messages under way to one endpoint at a time. */
  readonly perEndpointMax: number;
  /** Failures in a row from which an endpoint gets one message at a time. */
  readonly circuitFailures: number;
  /** How long the queue has for it before it is due again. */
  readonly leaseSeconds: number;
}

/** Any number that no other lock of ours has: claims are made one after the other, so that room is counted rightly. */
const CLAIM_LOCK = 7_263_401;

/**
 * What is to be sent now, taken for a while. Each endpoint has room for a few messages, and an open circuit for none:
 * one that never answers holds up its own messages and nobody else's.
 */
export async function claimDueDeliveries(
  db: Database,
  { countMax, perEndpointMax, circuitFailures, leaseSeconds }: ClaimOptions,
): Promise<DueDelivery[]> {
  const [, claimed] = await db.$transaction([
    // A statement of its own: the next one must see what the claim before it has committed.
    db.$executeRaw`SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`,
    db.$queryRaw<DueDelivery[]>`
      WITH room AS (
        SELECT e.id, CASE WHEN e.failures >= ${circuitFailures} THEN 1 ELSE ${perEndpointMax} END - (
          SELECT count(*) FROM webhook_deliveries u
          WHERE u.endpoint_id = e.id AND u.status = 'pending' AND u.queued_until > now()) AS free
        FROM webhook_endpoints e
        WHERE e.status = 'enabled' AND (e.paused_until IS NULL OR e.paused_until <= now()) AND EXISTS (
          SELECT FROM webhook_deliveries w
          WHERE w.endpoint_id = e.id AND w.status = 'pending' AND w.next_attempt_at <= now())
      ), due AS (
        SELECT d.id FROM room r CROSS JOIN LATERAL (
          SELECT p.id FROM webhook_deliveries p
          WHERE p.endpoint_id = r.id AND p.status = 'pending' AND p.next_attempt_at <= now()
            AND (p.queued_until IS NULL OR p.queued_until <= now())
          ORDER BY p.next_attempt_at, p.id LIMIT greatest(r.free, 0) FOR UPDATE SKIP LOCKED
        ) d LIMIT ${countMax}
      )
      UPDATE webhook_deliveries d SET queued_until = now() + make_interval(secs => ${leaseSeconds})
      FROM due WHERE d.id = due.id RETURNING d.id, d.attempts`,
  ]);
  return claimed;
}

/** They did not get into the queue after all. */
export async function releaseDeliveries(db: Database, ids: readonly string[]): Promise<void> {
  await db.$executeRaw`
    UPDATE webhook_deliveries SET queued_until = NULL WHERE id = ANY (${[...ids]}::text[]) AND status = 'pending'`;
}

export interface OutgoingWebhook {
  readonly id: string;
  readonly account_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  readonly attempts_before: number;
  readonly url: string;
  /** Encrypted; the old one only while its overlap lasts. */
  readonly secret: string;
  readonly old_secret: string | null;
  readonly failures: number;
}

/** A delivery with all that is needed to send it; undefined when this attempt was made already or nobody wants it now. */
export async function findOutgoing(
  db: Database,
  { id, attempts }: DueDelivery,
): Promise<OutgoingWebhook | undefined> {
  const rows = await db.$queryRaw<OutgoingWebhook[]>`
    SELECT d.id, d.account_id, d.endpoint_id, d.event_id, e.type, ${timestampText('e.created_at')} AS timestamp, e.data,
      d.attempts, d.attempts_before, p.url, p.secret, p.failures,
      CASE WHEN p.old_secret_expires_at > now() THEN p.old_secret END AS old_secret
    FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id JOIN webhook_endpoints p ON p.id = d.endpoint_id
    WHERE d.id = ${id} AND d.status = 'pending' AND d.attempts = ${attempts} AND p.status = 'enabled'`;
  return rows[0];
}

export interface AttemptMade {
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly responseHead: string | null;
}

type Attempted = Pick<OutgoingWebhook, 'id' | 'endpoint_id' | 'attempts'>;

/** It has arrived, and the endpoint is well. */
export async function settleDelivered(db: Database, delivery: Attempted, made: AttemptMade): Promise<void> {
  await db.$transaction([
    lockEndpoint(db, delivery.endpoint_id),
    db.$executeRaw(noteAttempt(delivery, made, Prisma.sql`status = 'delivered', finished_at = now()`)),
    db.$executeRaw`
      UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, paused_until = NULL
      WHERE id = ${delivery.endpoint_id} AND failures > 0`,
  ]);
}

export interface Failure extends AttemptMade {
  /** Null when it was the last attempt. */
  readonly retryInMs: number | null;
  /** How long the endpoint is left alone. */
  readonly pauseMs: number;
  /** The endpoint said that it does not want messages any more. */
  readonly isGone: boolean;
  /** An endpoint that failed for so long is disabled. */
  readonly failingDaysMax: number;
}

/** It has not arrived. True when this was the last straw: the endpoint is disabled now, with an audit entry. */
export async function settleFailed(
  db: Database,
  delivery: Attempted & Pick<OutgoingWebhook, 'account_id'>,
  failure: Failure,
  audit: Audit,
): Promise<boolean> {
  const { endpoint_id: endpointId } = delivery;
  const next =
    failure.retryInMs === null
      ? Prisma.sql`status = 'failed', finished_at = now()`
      : Prisma.sql`next_attempt_at = now() + make_interval(secs => ${failure.retryInMs / 1000})`;
  const disable = Prisma.sql`
    UPDATE webhook_endpoints SET status = 'disabled', disabled_at = now(),
      disabled_reason = CASE WHEN ${failure.isGone} THEN 'gone' ELSE 'failing' END
    WHERE id = ${endpointId} AND status = 'enabled'
      AND (${failure.isGone} OR failing_since <= now() - make_interval(days => ${failure.failingDaysMax}))
    RETURNING id, jsonb_build_object('reason', disabled_reason) AS details`;
  const results = await db.$transaction([
    lockEndpoint(db, endpointId),
    db.$executeRaw(noteAttempt(delivery, failure, next)),
    db.$executeRaw`
      UPDATE webhook_endpoints SET failures = failures + 1, failing_since = coalesce(failing_since, now()),
        paused_until = CASE WHEN ${failure.pauseMs} > 0
          THEN now() + make_interval(secs => ${failure.pauseMs / 1000}) ELSE paused_until END
      WHERE id = ${endpointId}`,
    db.$queryRaw<unknown[]>(audited(delivery.account_id, disable, audit)),
    db.$executeRaw(giveUpIfDisabled(endpointId)),
  ]);
  return (results[3] as unknown[]).length > 0;
}

/** The endpoint before its deliveries, in the order in which deleting it takes them. */
const lockEndpoint = (db: Database, endpointId: string) =>
  db.$executeRaw`SELECT FROM webhook_endpoints WHERE id = ${endpointId} FOR NO KEY UPDATE`;

/** Counts only the attempt that was asked for: one that came back from a worker that was taken for dead changes nothing. */
const noteAttempt = (
  { id, attempts }: Attempted,
  made: AttemptMade,
  outcome: Prisma.Sql,
): Prisma.Sql => Prisma.sql`
  WITH attempted AS (
    UPDATE webhook_deliveries SET attempts = attempts + 1, queued_until = NULL, response_status = ${made.responseStatus},
      error = ${made.error}, ${outcome}
    WHERE id = ${id} AND status = 'pending' AND attempts = ${attempts} RETURNING id
  )
  INSERT INTO webhook_attempts (delivery_id, attempted_at, duration_ms, response_status, error, response_head)
  SELECT id, now() - make_interval(secs => ${made.durationMs / 1000}), ${made.durationMs}, ${made.responseStatus},
    ${made.error}, ${made.responseHead}
  FROM attempted`;

export interface OutboxState {
  readonly pending: number;
  /** Seconds since the longest awaited was due. */
  readonly oldest_seconds: number;
}

/** What is due and not sent yet, for the metrics. */
export async function readOutboxState(db: Database): Promise<OutboxState> {
  const [state] = await db.$queryRaw<OutboxState[]>`
    SELECT count(*)::int AS pending,
      coalesce(extract(epoch FROM now() - min(next_attempt_at) FILTER (WHERE next_attempt_at <= now())), 0)::float8
        AS oldest_seconds
    FROM webhook_deliveries WHERE status = 'pending'`;
  return state ?? { pending: 0, oldest_seconds: 0 };
}

import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { instant } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { isHeldBy } from '../work/lease.js';
import { QUEUES } from '../work/queues.js';
import { giveUpIfDisabled } from './webhook-endpoints.js';
import { type OutgoingWebhook, PLACES_MAX } from './webhook-outbox.js';

export interface AttemptMade {
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly responseHead: string | null;
}

type Attempted = Pick<OutgoingWebhook, 'id' | 'endpoint_id' | 'lease'>;

/** Attempts of a delivery that are kept; people may ask for it again without an end. */
const ATTEMPTS_MAX = 50;

/** An answer that takes longer costs the endpoint half of its places. */
const SLOW_MS = 5_000;

const placesAfter = ({ durationMs }: AttemptMade): Prisma.Sql =>
  durationMs > SLOW_MS ? Prisma.sql`greatest(places / 2, 1)` : Prisma.sql`least(places + 1, ${PLACES_MAX})`;

/** It has arrived, and the endpoint is well. */
export async function settleDelivered(db: Database, delivery: Attempted, made: AttemptMade): Promise<void> {
  await db.$transaction([
    lockEndpoint(db, delivery.endpoint_id),
    db.$executeRaw(noteAttempt(delivery, made, Prisma.sql`status = 'delivered', finished_at = now()`)),
    db.$executeRaw`
      UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, paused_until = NULL, places = ${placesAfter(made)}
      WHERE id = ${delivery.endpoint_id} AND (failures > 0 OR places <> ${placesAfter(made)})`,
  ]);
}

export interface Failure extends AttemptMade {
  /** Null when it was the last attempt. */
  readonly retryInMs: number | null;
  /** How long the endpoint is left alone. */
  readonly pauseMs: number;
  /** DNS did not answer for its name: the endpoint was never asked and is not blamed. */
  readonly isUnresolved: boolean;
  /** The endpoint said that it does not want messages any more. */
  readonly isGone: boolean;
  /** An endpoint that failed for so long is disabled. */
  readonly failingDaysMax: number;
  /** Null while the clocks disagree: no failure is dated then, and no endpoint disabled for its age. */
  readonly now: Date | null;
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
  const now = failure.now === null ? Prisma.sql`NULL::timestamptz` : instant(failure.now);
  const disable = Prisma.sql`
    UPDATE webhook_endpoints SET status = 'disabled', disabled_at = now(),
      disabled_reason = CASE WHEN ${failure.isGone} THEN 'gone' ELSE 'failing' END
    WHERE id = ${endpointId} AND status = 'enabled'
      AND NOT ${failure.isUnresolved} AND (${failure.isGone} OR failing_since <= ${now} - make_interval(days => ${failure.failingDaysMax}))
    RETURNING id, jsonb_build_object('reason', disabled_reason) AS details`;
  const results = await db.$transaction([
    lockEndpoint(db, endpointId),
    db.$executeRaw(noteAttempt(delivery, failure, next)),
    db.$executeRaw`
      UPDATE webhook_endpoints SET failures = failures + 1, failing_since = coalesce(failing_since, ${now}),
        paused_until = CASE WHEN ${failure.pauseMs} > 0
          THEN now() + make_interval(secs => ${failure.pauseMs / 1000}) ELSE paused_until END,
        places = CASE WHEN ${failure.durationMs > SLOW_MS} THEN greatest(places / 2, 1) ELSE places END
      WHERE id = ${endpointId} AND NOT ${failure.isUnresolved}`,
    db.$executeRaw(audited(delivery.account_id, disable, audit)),
    db.$executeRaw(giveUpIfDisabled(endpointId)),
  ]);
  return results[3] > 0;
}

/** The endpoint before its deliveries, in the order in which deleting it takes them. */
const lockEndpoint = (db: Database, endpointId: string) =>
  db.$executeRaw`SELECT FROM webhook_endpoints WHERE id = ${endpointId} FOR NO KEY UPDATE`;

/** Counts only the attempt that was leased: one that comes late from a worker whose lease ended changes nothing. */
const noteAttempt = (delivery: Attempted, made: AttemptMade, outcome: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH attempted AS (
    UPDATE webhook_deliveries SET attempts = attempts + 1, queued_until = NULL, response_status = ${made.responseStatus},
      error = ${made.error}, ${outcome}
    WHERE ${isHeldBy(QUEUES.webhooks, delivery)} AND status = 'pending' RETURNING id
  ), forgotten AS (
    DELETE FROM webhook_attempts WHERE id IN (
      SELECT a.id FROM webhook_attempts a JOIN attempted d ON d.id = a.delivery_id
      ORDER BY a.id DESC OFFSET ${ATTEMPTS_MAX - 1})
  )
  INSERT INTO webhook_attempts (delivery_id, attempted_at, duration_ms, response_status, error, response_head)
  SELECT id, now() - make_interval(secs => ${made.durationMs / 1000}), ${made.durationMs}, ${made.responseStatus},
    ${made.error}, ${made.responseHead}
  FROM attempted`;

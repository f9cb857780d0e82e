import { TEST_MESSAGES_PER_MINUTE } from '@verdict/contracts/dashboard/webhooks-api.js';
import { type Audit, audited } from '../accounts/audited.js';
import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { bool, columnsOf, int, type RowOf, text } from '../database/columns.js';
import { isBefore, type Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

const WebhookDeliveryRow = columnsOf('webhookDelivery');
export type WebhookDeliveryRow = RowOf<typeof WebhookDeliveryRow>;

const WebhookDeliveryDetail = columnsOf('webhookDeliveryDetail');
export type WebhookDeliveryDetail = RowOf<typeof WebhookDeliveryDetail>;

export interface DeliveryPageQuery {
  readonly before: Position | null;
  readonly countMax: number;
  readonly endpointId?: string;
  readonly status?: string;
  readonly type?: string;
}

const SHOWN = Prisma.sql`d.id, d.endpoint_id, d.event_id, e.type AS event_type, d.status, d.attempts,
  CASE WHEN d.status = 'pending' THEN ${timestampText('d.next_attempt_at')} END AS next_attempt_at, d.response_status,
  d.error, ${timestampText('d.finished_at')} AS finished_at, ${timestampText('d.created_at')} AS created_at`;
const FROM = Prisma.sql`FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id`;

/** Restarts a delivery: immediately, with the whole retry schedule. */
const AGAIN = Prisma.sql`status = 'pending', attempts_before = d.attempts, next_attempt_at = now(), queued_until = NULL,
  finished_at = NULL`;

/** The deliveries to one account's endpoints, with their outcomes. */
export function createWebhookDeliveries(db: Database, accountId: string) {
  return {
    /** Newest first, those before a position. */
    page({ before, countMax, endpointId, status, type }: DeliveryPageQuery): Promise<WebhookDeliveryRow[]> {
      const chosen = allOf(
        Prisma.sql`d.account_id = ${accountId}`,
        before && isBefore(before, 'd'),
        endpointId && Prisma.sql`d.endpoint_id = ${endpointId}`,
        status && Prisma.sql`d.status = ${status}`,
        type && Prisma.sql`e.type = ${type}`,
      );
      return rowsOf(db, WebhookDeliveryRow)`
        SELECT ${SHOWN} ${FROM} WHERE ${chosen}
        ORDER BY d.created_at DESC, d.id DESC LIMIT ${countMax}`;
    },

    async find(id: string): Promise<WebhookDeliveryDetail | undefined> {
      const rows = await rowsOf(db, WebhookDeliveryDetail)`
        SELECT ${SHOWN}, ${timestampText('e.created_at')} AS event_created_at, e.data,
          coalesce((SELECT jsonb_agg(jsonb_build_object('attempted_at', ${timestampText('a.attempted_at')},
            'duration_ms', a.duration_ms, 'response_status', a.response_status, 'error', a.error,
            'response_head', a.response_head) ORDER BY a.id)
            FROM webhook_attempts a WHERE a.delivery_id = d.id), '[]') AS tries
        ${FROM} WHERE d.id = ${id} AND d.account_id = ${accountId}`;
      return rows[0];
    },

    /** Sends it again immediately; false if its endpoint is disabled. */
    async retry(id: string): Promise<boolean> {
      const changed = await db.$executeRaw`
        UPDATE webhook_deliveries d SET ${AGAIN} FROM webhook_endpoints p
        WHERE d.id = ${id} AND d.account_id = ${accountId} AND p.id = d.endpoint_id AND p.status = 'enabled'`;
      return changed > 0;
    },

    /** How many events of this time the endpoint is subscribed to. */
    async countEvents(endpointId: string, from: Date, to: Date): Promise<number> {
      const rows = await rowsOf(db, { events: int })`
        SELECT count(*)::int AS events ${wanted(accountId, endpointId, from, to)}`;
      return rows[0]?.events ?? 0;
    },

    /** Sends the events of a time range again, including delivered ones; the ids stay the same. */
    async replay(endpointId: string, from: Date, to: Date, audit: Audit): Promise<number> {
      const again = Prisma.sql`
        INSERT INTO webhook_deliveries AS d (id, account_id, event_id, endpoint_id)
        SELECT new_id('whd'), e.account_id, e.id, p.id ${wanted(accountId, endpointId, from, to)}
        ORDER BY e.created_at, e.id
        ON CONFLICT (event_id, endpoint_id) DO UPDATE SET ${AGAIN}
        RETURNING d.id`;
      return db.$executeRaw(audited(accountId, again, audit));
    },

    /** A message that only this endpoint gets, whatever it is subscribed to; undefined when it is disabled. */
    async test(endpointId: string, type: string): Promise<string | 'too many' | undefined> {
      const [, sent, [limit]] = await db.$transaction([
        // Of requests that arrive together no more pass than the minute has left.
        db.$executeRaw`SELECT FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`,
        rowsOf(db, { id: text })`
          WITH endpoint AS (
            SELECT id, account_id FROM webhook_endpoints
            WHERE id = ${endpointId} AND account_id = ${accountId} AND status = 'enabled'
              AND ${recentOf(accountId, type)} < ${TEST_MESSAGES_PER_MINUTE} FOR KEY SHARE
          ), event AS (
            INSERT INTO webhook_events (id, account_id, type, data)
            SELECT new_id('evt'), account_id, ${type}, jsonb_build_object('endpoint_id', id) FROM endpoint RETURNING id
          )
          INSERT INTO webhook_deliveries (id, account_id, event_id, endpoint_id)
          SELECT new_id('whd'), p.account_id, e.id, p.id FROM endpoint p, event e RETURNING id`,
        rowsOf(db, { reached: bool })`
          SELECT ${recentOf(accountId, type)} >= ${TEST_MESSAGES_PER_MINUTE} AS reached`,
      ]);
      const [delivery] = sent;
      return delivery?.id ?? (limit?.reached ? 'too many' : undefined);
    },
  };
}

/** Events of this type in the last minute. */
const recentOf = (accountId: string, type: string): Prisma.Sql => Prisma.sql`
  (SELECT count(*) FROM webhook_events
   WHERE account_id = ${accountId} AND type = ${type} AND created_at > now() - make_interval(mins => 1))`;

const wanted = (accountId: string, endpointId: string, from: Date, to: Date): Prisma.Sql => Prisma.sql`
  FROM webhook_events e JOIN webhook_endpoints p ON p.account_id = e.account_id AND e.type = ANY (p.events)
  WHERE p.id = ${endpointId} AND p.account_id = ${accountId} AND e.created_at >= ${from} AND e.created_at < ${to}`;

import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { columnsOf, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

export const ENDPOINTS_PER_ACCOUNT_MAX = 5;

const WebhookEndpointRow = columnsOf('webhookEndpoint');
export type WebhookEndpointRow = RowOf<typeof WebhookEndpointRow>;

export interface NewWebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  /** Encrypted. */
  readonly secret: string;
}

export interface WebhookEndpointPatch {
  readonly url?: string;
  readonly description?: string | null;
  readonly events?: readonly string[];
  readonly enabled?: boolean;
}

const SHOWN = Prisma.sql`id, url, description, events, status, disabled_reason,
  ${timestampText('disabled_at')} AS disabled_at, ${timestampText('failing_since')} AS failing_since,
  ${timestampText('created_at')} AS created_at`;

/** The webhook endpoints of one account. */
export function createWebhookEndpoints(db: Database, accountId: string) {
  const own = (id: string) => Prisma.sql`id = ${id} AND account_id = ${accountId}`;

  return {
    list(): Promise<WebhookEndpointRow[]> {
      return rowsOf(db, WebhookEndpointRow)`
        SELECT ${SHOWN} FROM webhook_endpoints WHERE account_id = ${accountId}
        ORDER BY webhook_endpoints.created_at, id`;
    },

    async find(id: string): Promise<WebhookEndpointRow | undefined> {
      const rows = await rowsOf(db, WebhookEndpointRow)`
        SELECT ${SHOWN} FROM webhook_endpoints WHERE ${own(id)}`;
      return rows[0];
    },

    /** Undefined when the account has its five already; judged under the account's lock. */
    async create(endpoint: NewWebhookEndpoint, audit: Audit): Promise<WebhookEndpointRow | undefined> {
      const insert = Prisma.sql`
        INSERT INTO webhook_endpoints (id, account_id, url, description, events, secret)
        SELECT ${endpoint.id}, ${accountId}, ${endpoint.url}, ${endpoint.description}, ${[...endpoint.events]}::text[],
          ${endpoint.secret}
        WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = ${accountId}) < ${ENDPOINTS_PER_ACCOUNT_MAX}
        RETURNING ${SHOWN}`;
      const [, rows] = await db.$transaction([
        db.$executeRaw`SELECT FROM accounts WHERE id = ${accountId} FOR UPDATE`,
        rowsOf(db, WebhookEndpointRow)(audited(accountId, insert, audit)),
      ]);
      return rows[0];
    },

    /**
     * Undefined if there is no such endpoint. An endpoint enabled again gets missed events only by a replay; disabling
     * it cancels pending deliveries.
     */
    async update(
      id: string,
      patch: WebhookEndpointPatch,
      audit: Audit,
    ): Promise<WebhookEndpointRow | undefined> {
      const { url, description, events, enabled } = patch;
      const settings = [
        ...(url === undefined ? [] : [Prisma.sql`url = ${url}`]),
        ...(description === undefined ? [] : [Prisma.sql`description = ${description}`]),
        ...(events === undefined ? [] : [Prisma.sql`events = ${[...events]}::text[]`]),
        ...(enabled === undefined ? [] : [enabled ? ENABLED : DISABLED_BY_USER]),
      ];
      const update = Prisma.sql`
        UPDATE webhook_endpoints SET ${Prisma.join(settings)} WHERE ${own(id)} RETURNING ${SHOWN}`;
      const [rows] = await db.$transaction([
        rowsOf(db, WebhookEndpointRow)(audited(accountId, update, audit)),
        db.$executeRaw(giveUpIfDisabled(id)),
      ]);
      return rows[0];
    },

    /**
     * Undefined when there is no such endpoint. Its deliveries go with it. The account is locked before the endpoint, as
     * by whoever adds one and tells the others of it.
     */
    async remove(id: string, audit: Audit): Promise<WebhookEndpointRow | undefined> {
      const remove = Prisma.sql`DELETE FROM webhook_endpoints WHERE ${own(id)} RETURNING ${SHOWN}`;
      const [, rows] = await db.$transaction([
        db.$executeRaw`SELECT FROM accounts WHERE id = ${accountId} FOR KEY SHARE`,
        rowsOf(db, WebhookEndpointRow)(audited(accountId, remove, audit)),
      ]);
      return rows[0];
    },

    /** A new secret; messages carry signatures of both for the overlap. One that was in its overlap already ends now. */
    async roll(
      id: string,
      secret: string,
      overlapSeconds: number,
      audit: Audit,
    ): Promise<(WebhookEndpointRow & { old_secret_expires_at: string }) | undefined> {
      const roll = Prisma.sql`
        UPDATE webhook_endpoints SET old_secret = secret, secret = ${secret},
          old_secret_expires_at = now() + make_interval(secs => ${overlapSeconds})
        WHERE ${own(id)}
        RETURNING ${SHOWN}, ${timestampText('old_secret_expires_at')} AS old_secret_expires_at`;
      const rows = await rowsOf(db, { ...WebhookEndpointRow, old_secret_expires_at: text })(
        audited(accountId, roll, audit),
      );
      return rows[0];
    },
  };
}

const ENABLED = Prisma.sql`status = 'enabled', disabled_reason = NULL, disabled_at = NULL, failures = 0,
  failing_since = NULL, paused_until = NULL`;
const DISABLED_BY_USER = Prisma.sql`status = 'disabled', disabled_reason = 'user', disabled_at = now()`;

/** Cancels the pending deliveries of a disabled endpoint. */
export const giveUpIfDisabled = (endpointId: string): Prisma.Sql => Prisma.sql`
  UPDATE webhook_deliveries d SET status = 'failed', error = 'the endpoint was disabled', queued_until = NULL,
    finished_at = now()
  FROM webhook_endpoints e
  WHERE d.endpoint_id = ${endpointId} AND d.status = 'pending' AND e.id = d.endpoint_id AND e.status = 'disabled'`;

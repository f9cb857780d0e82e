import type { WebhookData, WebhookEventType } from '@verdict/contracts/webhook-events.js';
import { Prisma } from '../generated/client.js';

export interface WebhookCause<T extends WebhookEventType> {
  readonly accountId: string;
  readonly type: T;
  /** Ids and numbers, never an address, because it is sent unchanged. */
  readonly data: WebhookData<T>;
  /** Names an event that happens once; writing it again writes nothing. */
  readonly onceKey?: string;
}

/**
 * Tells a customer that something happened, in the transaction of what happened:
 *
 *     await db.$transaction([db.$executeRaw(change), db.$executeRaw(enqueueWebhookEvent(cause))]);
 *
 * A change in SQL may call `enqueue_webhook_event` itself. Keys, plans and statements tell of themselves (triggers).
 */
export const enqueueWebhookEvent = <T extends WebhookEventType>({
  accountId,
  type,
  data,
  onceKey,
}: WebhookCause<T>): Prisma.Sql =>
  Prisma.sql`SELECT enqueue_webhook_event(${accountId}, ${type}, ${JSON.stringify(data)}::jsonb, ${onceKey ?? null}) AS id`;

import { type Static, Type } from 'typebox';

/** From the outbox to whichever worker sends it, over BullMQ. All else is read from Postgres when it is sent. */
export const WEBHOOK_JOB = 'webhook';

export const WebhookJobSchema = Type.Object(
  {
    delivery_id: Type.String(),
    attempts: Type.Integer({ minimum: 0, description: 'How many were made before this one' }),
  },
  { additionalProperties: false },
);
export type WebhookJob = Static<typeof WebhookJobSchema>;

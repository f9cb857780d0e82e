import { WEBHOOK_EVENTS, WebhookBodySchema } from '@verdict/contracts/webhook-events.js';
import type { OpenApiDocument } from './openapi-document.js';
import type { SchemaWriter } from './schema-writer.js';

const header = (name: string, description: string) => ({
  in: 'header',
  name,
  required: true,
  description,
  schema: { type: 'string' },
});

/** The headers of every message, by their names among the components. */
export const MESSAGE_HEADERS = {
  EventId: header('webhook-id', 'Names the event; the same for every attempt and every replay'),
  SentAt: header('webhook-timestamp', 'When this attempt was made, in seconds since 1970'),
  Signature: header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`; several, separated by spaces, while a secret is rolled',
  ),
};

/** Answers that an endpoint may give. */
export const MESSAGE_REPLIES = {
  Received: { description: 'Received; within 15 seconds, or it is sent again' },
  Unwanted: { description: 'No more of these: the endpoint is disabled' },
};

/** The webhook messages, from their schemas: Standard Webhooks. */
export function webhookMessages(write: SchemaWriter): NonNullable<OpenApiDocument['webhooks']> {
  return Object.fromEntries(
    Object.entries(WEBHOOK_EVENTS).map(([type, { summary, data }]) => [
      type,
      {
        post: {
          operationId: nameOf(type),
          tags: ['webhooks'],
          summary,
          security: [],
          parameters: Object.keys(MESSAGE_HEADERS).map((name) => ({
            $ref: `#/components/parameters/${name}`,
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: write.ofAnswer(WebhookBodySchema(type, data)) } },
          },
          responses: {
            '2XX': { $ref: '#/components/responses/Received' },
            '410': { $ref: '#/components/responses/Unwanted' },
          },
        },
      },
    ]),
  );
}

/** `key.created` is receiveKeyCreated. */
const nameOf = (type: string): string =>
  ['receive', ...type.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');

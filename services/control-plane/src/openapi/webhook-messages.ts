import { WEBHOOK_EVENTS, WebhookBodySchema } from '@verdict/contracts/webhook-events.js';
import { allowNewFields } from './allow-new-fields.js';
import type { OpenApiDocument } from './openapi-document.js';

const header = (name: string, description: string) => ({
  in: 'header',
  name,
  required: true,
  description,
  schema: { type: 'string' },
});

const HEADERS = [
  header('webhook-id', 'Names the event; the same for every attempt and every replay'),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`; several, separated by spaces, while a secret is rolled',
  ),
];

/** The webhook messages, from their schemas: Standard Webhooks. */
export function webhookMessages(): NonNullable<OpenApiDocument['webhooks']> {
  return Object.fromEntries(
    Object.entries(WEBHOOK_EVENTS).map(([type, { summary, data }]) => [
      type,
      {
        post: {
          operationId: nameOf(type),
          tags: ['webhooks'],
          summary,
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: allowNewFields(WebhookBodySchema(type, data)) } },
          },
          responses: {
            '2XX': { description: 'Received; within 15 seconds, or it is sent again' },
            '410': { description: 'No more of these: the endpoint is disabled' },
          },
        },
      },
    ]),
  );
}

/** `key.created` is receiveKeyCreated. */
const nameOf = (type: string): string =>
  ['receive', ...type.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');

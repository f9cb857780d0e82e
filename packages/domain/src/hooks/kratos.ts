import type { HookProvider } from './hook-provider.js';
import { textAt } from './payload-fields.js';
import { sharedSecret } from './shared-secret.js';

/** Ory shows the message beside the form's field when it points to the trait. */
const ADDRESS = '#/traits/email';
const MESSAGE_ID = 4_000_000;

/**
 * A web_hook of Ory Kratos after registration, with `response.parse`. Its body is what the Jsonnet of our documentation
 * makes of the flow; any 4xx with `messages` interrupts the flow before the identity is stored.
 */
export const kratos: HookProvider = {
  ...sharedSecret,
  read: (payload) => ({
    eventId: textAt(payload, 'id') ?? '',
    email: textAt(payload, 'email'),
    ip: textAt(payload, 'ip'),
    skipped: null,
  }),
  answer: ({ refused, message }) =>
    refused
      ? {
          status: 403,
          body: {
            messages: [
              {
                instance_ptr: ADDRESS,
                messages: [{ id: MESSAGE_ID, text: message, type: 'validation', context: {} }],
              },
            ],
          },
        }
      : { status: 200, body: {} },
  shownFields: ['id'],
  sample: ({ id, email, ip }) => ({ id, email, ip }),
};

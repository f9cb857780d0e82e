import type { HookProvider } from './hook-provider.js';
import { textAt } from './payload-fields.js';
import { standardSignature } from './standard-signature.js';

const { eventId, ...signature } = standardSignature('webhook');

/** For your servers: an HMAC by Standard Webhooks, two fields in, the decision out. */
export const generic: HookProvider = {
  ...signature,
  read: (payload, request) => ({
    eventId: eventId(request),
    email: textAt(payload, 'email'),
    ip: textAt(payload, 'ip'),
    skipped: null,
  }),
  answer: ({ refused, message, decision, logId }) => ({
    status: 200,
    body: { refuse: refused, decision, log_id: logId, ...(refused && { message }) },
  }),
  shownFields: [],
  sample: ({ email, ip }) => ({ email, ip }),
};

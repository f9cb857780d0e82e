import type { HookProvider } from './hook-provider.js';
import { objectAt, textAt } from './payload-fields.js';
import { sharedSecret } from './shared-secret.js';

/** The pre-user-registration Action of our documentation: it sends parts of Auth0's event and denies what is refused. */
export const auth0: HookProvider = {
  ...sharedSecret,
  read: (payload) => ({
    eventId: textAt(payload, 'id') ?? '',
    email: textAt(objectAt(payload, 'user'), 'email'),
    ip: textAt(objectAt(payload, 'request'), 'ip'),
    skipped: null,
  }),
  answer: ({ refused, message }) => ({
    status: 200,
    body: refused ? { refuse: true, message } : { refuse: false },
  }),
  shownFields: ['id'],
  sample: ({ id, email, ip }) => ({ id, user: { email }, request: { ip } }),
};

import type { HookProvider, Payload } from './hook-provider.js';
import { objectAt, textAt } from './payload-fields.js';
import { standardSignature } from './standard-signature.js';

const { eventId, ...signature } = standardSignature('svix');
const EVENT = 'user.created';

/** Clerk's webhook after a user was created: it reads no answer, so nothing is refused there. */
export const clerk: HookProvider = {
  ...signature,
  read(payload, request) {
    const caller = objectAt(objectAt(payload, 'event_attributes'), 'http_request');
    return {
      eventId: eventId(request),
      email: primaryAddress(objectAt(payload, 'data')),
      ip: textAt(caller, 'client_ip'),
      skipped: payload.type === EVENT ? null : 'other_event',
    };
  },
  answer: () => ({ status: 200, body: {} }),
  shownFields: ['type', 'object', 'instance_id', 'strategy', 'status'],
  sample: ({ email, ip }, nowMs) => ({
    data: {
      id: 'user_test',
      object: 'user',
      email_addresses: [
        {
          id: 'idn_test',
          object: 'email_address',
          email_address: email,
          verification: { status: 'verified' },
        },
      ],
      primary_email_address_id: 'idn_test',
      created_at: nowMs,
    },
    event_attributes: { http_request: { client_ip: ip, user_agent: 'Verdict test' } },
    instance_id: 'ins_test',
    object: 'event',
    timestamp: nowMs,
    type: EVENT,
  }),
};

/** The address that the user signs in with; the first one where none is marked. */
function primaryAddress(user: Payload): string | null {
  const addresses = (Array.isArray(user.email_addresses) ? user.email_addresses : []).filter(
    (each): each is Payload => typeof each === 'object' && each !== null,
  );
  const primary = addresses.find(({ id }) => id === user.primary_email_address_id) ?? addresses[0];
  return primary ? textAt(primary, 'email_address') : null;
}

import type { HookProvider } from './hook-provider.js';
import { objectAt, textAt } from './payload-fields.js';
import { standardSignature } from './standard-signature.js';

const { eventId, ...signature } = standardSignature('webhook');
const EVENT = 'before-user-created';

/** Supabase's Before User Created hook. A refusal is a 200 with `error`: another status becomes a 500 for the person. */
export const supabase: HookProvider = {
  ...signature,
  // With the version before it, as its form wants it.
  createSecret: () => `v1,${signature.createSecret()}`,
  read(payload, request) {
    const metadata = objectAt(payload, 'metadata');
    const name = textAt(metadata, 'name');
    return {
      eventId: eventId(request),
      email: textAt(objectAt(payload, 'user'), 'email'),
      ip: textAt(metadata, 'ip_address'),
      skipped: name === null || name === EVENT ? null : 'other_event',
    };
  },
  answer: ({ refused, message }) => ({
    status: 200,
    body: refused ? { error: { http_code: 403, message } } : {},
  }),
  shownFields: ['uuid', 'time', 'name', 'aud', 'role', 'provider', 'providers', 'created_at', 'updated_at'],
  sample: ({ id, email, ip }, nowMs) => {
    const time = new Date(nowMs).toISOString();
    return {
      metadata: { uuid: id, time, name: EVENT, ip_address: ip },
      user: {
        id: '00000000-0000-4000-8000-000000000000',
        aud: 'authenticated',
        role: '',
        email,
        phone: '',
        app_metadata: { provider: 'email', providers: ['email'] },
        user_metadata: {},
        identities: [],
        created_at: '0001-01-01T00:00:00Z',
        updated_at: '0001-01-01T00:00:00Z',
        is_anonymous: false,
      },
    };
  },
};

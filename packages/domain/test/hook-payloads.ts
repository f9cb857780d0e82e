/** Payloads as the providers document them, each with the document and its date. */

/** supabase.com/docs/guides/auth/auth-hooks/before-user-created-hook, read on 2026-11-18. */
export const SUPABASE = {
  metadata: {
    uuid: '8b34dcdd-9df1-4c10-850a-b3277c653040',
    time: '2025-04-29T13:13:24.755552-07:00',
    name: 'before-user-created',
    ip_address: '127.0.0.1',
  },
  user: {
    id: 'ff7fc9ae-3b1b-4642-9241-64adb9848a03',
    aud: 'authenticated',
    role: '',
    email: 'valid.email@supabase.com',
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: {},
    identities: [],
    created_at: '0001-01-01T00:00:00Z',
    updated_at: '0001-01-01T00:00:00Z',
    is_anonymous: false,
  },
};

/** workos.com/docs/authkit/actions and the fixture of workos-node 8, read on 2026-11-18. */
export const WORKOS_INVITED = {
  id: '01JATCMZJY26PQ59XT9BNT0FNN',
  user_data: { object: 'user_data', email: 'jane@foocorp.com', first_name: 'Jane', last_name: 'Doe' },
  ip_address: '50.141.123.10',
  user_agent: 'Mozilla/5.0',
  device_fingerprint: 'notafingerprint',
  object: 'user_registration_action_context',
  invitation: {
    object: 'invitation',
    id: '01JBVZWH8HJ855YZ5BWHG1WNZN',
    email: 'jane@foocorp.com',
    expires_at: '2024-10-22T17:12:50.746Z',
    organization_id: '01JBW46BTKAA98WZN8826XQ2YP',
    inviter_user_id: '01JBVZWAEPWAE3YYKBVT0AF81F',
  },
};
export const WORKOS = { ...WORKOS_INVITED, invitation: null };

/** clerk.com/docs/guides/development/webhooks/overview and Clerk's webhook schema, read on 2026-11-18. */
export const CLERK = {
  data: {
    id: 'user_29w83sxmDNGwOuEthce5gg56FcC',
    object: 'user',
    first_name: 'Example',
    last_name: 'Example',
    email_addresses: [
      {
        id: 'idn_29w83yL7CwVlJXylYLxcslromF1',
        object: 'email_address',
        email_address: 'example@example.org',
        verification: { status: 'verified', strategy: 'ticket' },
      },
    ],
    primary_email_address_id: 'idn_29w83yL7CwVlJXylYLxcslromF1',
    created_at: 1654012591514,
  },
  event_attributes: { http_request: { client_ip: '198.51.100.4', user_agent: 'Mozilla/5.0' } },
  instance_id: 'ins_123',
  object: 'event',
  timestamp: 1654012591835,
  type: 'user.created',
};

/** Parts of `event` at auth0.com/docs/actions/reference/pre-user-registration, read on 2026-11-18, as our Action sends them. */
export const AUTH0 = {
  id: '5b0f0d3e-6f0e-4a55-b0b4-1f6b8f2f3c11',
  user: { email: 'jane@example.com' },
  request: { ip: '198.51.100.7' },
};

/** The body that our Jsonnet makes of `ctx` at ory.sh/docs/guides/integrate-with-ory-cloud-through-webhooks, read on 2026-11-18. */
export const KRATOS = {
  id: 'cec1c06e-48eb-4f9d-abf1-2e287371f4eb',
  email: '0.g5vv0qpoxl@ory.sh',
  ip: '198.51.100.9',
};

export const GENERIC = { email: 'jane@example.com', ip: '2001:db8::7' };

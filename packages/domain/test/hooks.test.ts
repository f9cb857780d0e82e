import { createHmac } from 'node:crypto';
import t from 'tap';
import type { HookProvider, HookRequest, Payload } from '../src/hooks/hook-provider.js';
import { HOOK_PROVIDERS } from '../src/hooks/hook-providers.js';
import { maskedPayload } from '../src/hooks/masked-payload.js';
import { createHookSealer } from '../src/hooks/projected-secret.js';
import { AUTH0, CLERK, GENERIC, KRATOS, SUPABASE, WORKOS, WORKOS_INVITED } from './hook-payloads.js';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const MINUTE = 60_000;
const PROVIDERS: [string, HookProvider, Payload, { email: string; ip: string }][] = [
  ['supabase', HOOK_PROVIDERS.supabase, SUPABASE, { email: 'valid.email@supabase.com', ip: '127.0.0.1' }],
  ['workos', HOOK_PROVIDERS.workos, WORKOS, { email: 'jane@foocorp.com', ip: '50.141.123.10' }],
  ['kratos', HOOK_PROVIDERS.kratos, KRATOS, { email: '0.g5vv0qpoxl@ory.sh', ip: '198.51.100.9' }],
  ['auth0', HOOK_PROVIDERS.auth0, AUTH0, { email: 'jane@example.com', ip: '198.51.100.7' }],
  ['clerk', HOOK_PROVIDERS.clerk, CLERK, { email: 'example@example.org', ip: '198.51.100.4' }],
  ['generic', HOOK_PROVIDERS.generic, GENERIC, { email: 'jane@example.com', ip: '2001:db8::7' }],
];
const SIGNED_BY_TIME = new Set(['supabase', 'workos', 'clerk', 'generic']);

const signed = (provider: HookProvider, payload: Payload, secret: string, atMs = NOW): HookRequest => {
  const body = JSON.stringify(payload);
  return { body, headers: provider.sign(body, 'msg_1', secret, atMs) };
};

for (const [kind, provider, payload, { email, ip }] of PROVIDERS) {
  t.test(`${kind}: address, IP and event id come out of the documented payload`, async (t) => {
    const read = provider.read(payload, signed(provider, payload, provider.createSecret()));
    t.match(read, { email, ip, skipped: null });
    t.not(read.eventId, '');
  });

  t.test(`${kind}: only the secret signs, only these bytes, and only for five minutes`, async (t) => {
    const secret = provider.createSecret();
    t.equal(provider.secretFault(secret), null);
    const request = signed(provider, payload, secret);
    t.ok(provider.isSigned(request, secret, NOW));
    t.notOk(provider.isSigned(request, provider.createSecret(), NOW), 'another secret');
    t.notOk(provider.isSigned({ ...request, headers: {} }, secret, NOW), 'no signature');
    for (const [name, value] of Object.entries(request.headers))
      t.notOk(
        provider.isSigned(
          { ...request, headers: { ...request.headers, [name]: [String(value), 'x'] } },
          secret,
          NOW,
        ),
        `${name} twice`,
      );
    if (!SIGNED_BY_TIME.has(kind)) return;
    t.notOk(provider.isSigned({ ...request, body: `${request.body} ` }, secret, NOW), 'other bytes');
    t.ok(provider.isSigned(request, secret, NOW + 4 * MINUTE));
    t.notOk(provider.isSigned(request, secret, NOW + 6 * MINUTE), 'old');
    t.notOk(provider.isSigned(request, secret, NOW - 6 * MINUTE), 'of the future');
  });

  t.test(`${kind}: while a secret is replaced, both sign`, async (t) => {
    const [old, next] = [provider.createSecret(), provider.createSecret()];
    const both = `${next}|${old}`;
    t.equal(provider.secretFault(both), null);
    t.ok(provider.isSigned(signed(provider, payload, old), both, NOW));
    t.ok(provider.isSigned(signed(provider, payload, next), both, NOW));
    t.notOk(provider.isSigned(signed(provider, payload, old), next, NOW));
    t.notOk(provider.isSigned({ body: '', headers: { authorization: 'Bearer ' } }, both, NOW));
  });

  t.test(`${kind}: a payload in another shape is read without a failure`, async (t) => {
    for (const odd of [{}, { user: null, metadata: [], data: 7 }, { data: { email_addresses: [null, 3] } }])
      t.equal(provider.read(odd, { headers: {}, body: '' }).email, null);
  });

  t.test(`${kind}: the sample of a test reads like the provider's payload`, async (t) => {
    const sample = provider.sample({ id: 'evt_1', email: 'a@example.com', ip: '203.0.113.7' }, NOW);
    const read = provider.read(sample, signed(provider, sample, provider.createSecret()));
    t.match(read, { email: 'a@example.com', ip: '203.0.113.7', skipped: null });
  });
}

t.test('a message with several signatures needs one that verifies', async (t) => {
  const { supabase, clerk } = HOOK_PROVIDERS;
  for (const [provider, name] of [
    [supabase, 'webhook-signature'],
    [clerk, 'svix-signature'],
  ] as const) {
    const secret = provider.createSecret();
    const request = signed(provider, SUPABASE, secret);
    const good = String(request.headers[name]);
    const other = `v1,${Buffer.alloc(32, 1).toString('base64')}`;
    const withSignatures = (text: string) => ({ ...request, headers: { ...request.headers, [name]: text } });
    t.ok(provider.isSigned(withSignatures(`${other} ${good}`), secret, NOW));
    t.ok(provider.isSigned(withSignatures(`v1a,abc ${good} ${other}`), secret, NOW));
    t.notOk(provider.isSigned(withSignatures(`${other} ${other}`), secret, NOW));
    t.notOk(provider.isSigned(withSignatures(good.replace('v1,', 'v2,')), secret, NOW), 'another version');
  }
});

t.test('a secret as Supabase shows it is the same secret', async (t) => {
  const { supabase } = HOOK_PROVIDERS;
  const secret = supabase.createSecret();
  t.ok(supabase.isSigned(signed(supabase, SUPABASE, secret), secret.replace('v1,', ''), NOW));
  for (const bad of ['whsec_', 'whsec_c2hvcnQ=', 'secret of sixteen', '|'])
    t.type(supabase.secretFault(bad), 'string', bad);
  for (const bad of ['short', 'with space in between', 'x'.repeat(257), 'a|bbbbbbbbbbbbbbbb'])
    t.type(HOOK_PROVIDERS.kratos.secretFault(bad), 'string', bad);
});

t.test('an invited person and other events are not checked', async (t) => {
  const none = { headers: {}, body: '' };
  t.equal(HOOK_PROVIDERS.workos.read(WORKOS_INVITED, none).skipped, 'invited');
  t.equal(
    HOOK_PROVIDERS.workos.read({ object: 'authentication_action_context' }, none).skipped,
    'other_event',
  );
  t.equal(HOOK_PROVIDERS.clerk.read({ ...CLERK, type: 'user.updated' }, none).skipped, 'other_event');
  const other = { ...SUPABASE, metadata: { ...SUPABASE.metadata, name: 'send-email' } };
  t.equal(HOOK_PROVIDERS.supabase.read(other, none).skipped, 'other_event');
});

t.test('each provider gets the refusal that it documents', async (t) => {
  const about = (payload: Payload) => ({ payload, secret: 'sixteen characters', nowMs: NOW });
  const refused = { refused: true, message: 'No.', decision: 'block', logId: 'log_1' };
  const allowed = { ...refused, refused: false, decision: 'allow' };
  const { supabase, workos, kratos, auth0, clerk, generic } = HOOK_PROVIDERS;
  t.strictSame(supabase.answer(refused, about(SUPABASE)), {
    status: 200,
    body: { error: { http_code: 403, message: 'No.' } },
  });
  t.strictSame(supabase.answer(allowed, about(SUPABASE)), { status: 200, body: {} });
  t.strictSame(kratos.answer(refused, about(KRATOS)), {
    status: 403,
    body: {
      messages: [
        {
          instance_ptr: '#/traits/email',
          messages: [{ id: 4_000_000, text: 'No.', type: 'validation', context: {} }],
        },
      ],
    },
  });
  t.strictSame(kratos.answer(allowed, about(KRATOS)), { status: 200, body: {} });
  t.strictSame(auth0.answer(refused, about(AUTH0)).body, { refuse: true, message: 'No.' });
  t.strictSame(auth0.answer(allowed, about(AUTH0)).body, { refuse: false });
  t.strictSame(clerk.answer(refused, about(CLERK)), { status: 200, body: {} }, 'reads no answer');
  t.strictSame(generic.answer(refused, about(GENERIC)).body, {
    refuse: true,
    decision: 'block',
    log_id: 'log_1',
    message: 'No.',
  });
  for (const [verdict, word] of [
    [refused, 'Deny'],
    [allowed, 'Allow'],
  ] as const) {
    const { status, body } = workos.answer(verdict, about(WORKOS));
    const payload = { timestamp: NOW, verdict: word, ...(verdict.refused && { error_message: 'No.' }) };
    const signature = createHmac('sha256', 'sixteen characters')
      .update(`${NOW}.${JSON.stringify(payload)}`)
      .digest('hex');
    t.strictSame(
      { status, body },
      {
        status: 200,
        body: { object: 'user_registration_action_response', payload, signature },
      },
    );
  }
});

t.test('a delivery shows no name, number or whole address', async (t) => {
  const personal = {
    ...SUPABASE,
    user: {
      ...SUPABASE.user,
      phone: '+49301234567',
      user_metadata: { full_name: 'Jane Doe', nested: ['secret'] },
    },
  };
  const shown = maskedPayload(personal, HOOK_PROVIDERS.supabase.shownFields);
  const text = JSON.stringify(shown);
  for (const secret of ['valid.email', 'Jane', '+49', 'secret', 'ff7fc9ae', '127.0.0.1'])
    t.notOk(text.includes(secret), secret);
  t.match(shown, {
    metadata: { name: 'before-user-created', ip_address: '127.0.0.0' },
    user: { email: 'v***@supabase.com', app_metadata: { provider: 'email' } },
  });
  const deep = { a: { b: { c: { d: { e: { f: { g: { h: 'x' } } } } } } } };
  t.ok(JSON.stringify(maskedPayload(deep, [])).length < 60);
});

t.test('a delivery is small whatever was sent, because Redis keeps it', async (t) => {
  const bytesOf = (payload: object) =>
    JSON.stringify(maskedPayload({ kept: 'id', ...payload }, ['kept'])).length;
  const wide = Array.from({ length: 500 }, (_, i) => [`field ${i}`, `p@${'x'.repeat(100)}.example`]);
  const large = {
    address: { email: `p@${'x'.repeat(60_000)}.example` },
    fields: Object.fromEntries(wide),
    nested: { a: [Array(300).fill(Array(300).fill('x'))] },
    number: { list: Array(20).fill(1e100) },
  };
  for (const [name, value] of Object.entries(large)) t.ok(bytesOf({ [name]: value }) <= 2_048, name);
  const { address, nested } = large;
  t.match(
    maskedPayload({ kept: 'id', ...address, nested }, ['kept']),
    { kept: 'id' },
    'its outer fields are shown',
  );
});

t.test('gateways open what the control plane sealed, with the same token only', async (t) => {
  const sealed = createHookSealer('a token of the cluster').seal('whsec_abc', 'hok_1');
  t.equal(createHookSealer('a token of the cluster').open(sealed, 'hok_1'), 'whsec_abc');
  t.equal(createHookSealer('a token of the cluster').open(sealed, 'hok_2'), null);
  t.equal(createHookSealer('another token of ours').open(sealed, 'hok_1'), null);
});

import { createHmac } from 'node:crypto';
import { currentSecrets, newestSecret } from './current-secrets.js';
import { type HookProvider, isRecent } from './hook-provider.js';
import { headerOf, objectAt, textAt } from './payload-fields.js';
import { isSameText } from './same-text.js';
import { createSharedSecret, sharedSecretFault } from './shared-secret.js';

const HEADER = /^t=(\d{10,16}),\s*v1=([0-9a-f]{64})$/;
const REGISTRATION = 'user_registration_action_context';
const RESPONSES: Readonly<Record<string, string>> = {
  [REGISTRATION]: 'user_registration_action_response',
  authentication_action_context: 'authentication_action_response',
};

const signatureOf = (secret: string, atMs: number | string, body: string): string =>
  createHmac('sha256', secret).update(`${atMs}.${body}`).digest('hex');

/** A user registration action of WorkOS AuthKit. It signs both ways: an answer without a signature is refused there. */
export const workos: HookProvider = {
  createSecret: createSharedSecret,
  secretFault: sharedSecretFault,
  isSigned(request, secret, nowMs) {
    const [, at, signature] = HEADER.exec(headerOf(request, 'workos-signature') ?? '') ?? [];
    if (!at || !signature || !isRecent(Number(at), nowMs)) return false;
    return currentSecrets(secret).some((one) => isSameText(signature, signatureOf(one, at, request.body)));
  },
  read: (payload) => ({
    eventId: textAt(payload, 'id') ?? '',
    email: textAt(objectAt(payload, 'user_data'), 'email'),
    ip: textAt(payload, 'ip_address'),
    skipped:
      payload.object !== REGISTRATION
        ? 'other_event'
        : typeof payload.invitation === 'object' && payload.invitation !== null
          ? 'invited'
          : null,
  }),
  answer({ refused, message }, { payload, secret, nowMs }) {
    const verdict = {
      timestamp: nowMs,
      verdict: refused ? 'Deny' : 'Allow',
      ...(refused && { error_message: message }),
    };
    return {
      status: 200,
      body: {
        object: RESPONSES[String(payload.object)] ?? RESPONSES[REGISTRATION],
        payload: verdict,
        signature: signatureOf(newestSecret(secret), nowMs, JSON.stringify(verdict)),
      },
    };
  },
  shownFields: ['id', 'object', 'state'],
  sample: ({ id, email, ip }) => ({
    id,
    object: REGISTRATION,
    user_data: { object: 'user_data', email, first_name: 'Test', last_name: 'Person' },
    ip_address: ip,
    user_agent: 'Verdict test',
    device_fingerprint: '',
    invitation: null,
  }),
  sign: (body, _id, secret, nowMs) => ({
    'workos-signature': `t=${nowMs}, v1=${signatureOf(newestSecret(secret), nowMs, body)}`,
  }),
};

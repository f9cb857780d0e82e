import { createHmac } from 'node:crypto';
import { createWebhookSecret, webhookSecretBytes } from '../webhook-secret.js';
import { currentSecrets, newestSecret } from './current-secrets.js';
import { type HookProvider, type HookRequest, isRecent } from './hook-provider.js';
import { headerOf } from './payload-fields.js';
import { isSameText } from './same-text.js';

const SECRET = /^(v1,)?whsec_[A-Za-z0-9+/]+={0,2}$/;
const [BYTES_MIN, BYTES_MAX] = [24, 64];
const SECRETS_MAX = 2;

/** Supabase writes the version of the signature before the secret. */
const plain = (secret: string): string => secret.replace(/^v1,/, '');

const signatureOf = (secret: string, id: string, seconds: string, body: string): string =>
  createHmac('sha256', webhookSecretBytes(plain(secret)))
    .update(`${id}.${seconds}.${body}`)
    .digest('base64');

/**
 * The signature of Standard Webhooks, which Svix sends under its own header names. A message may carry several
 * signatures while its sender changes the secret; one that verifies is enough.
 */
export function standardSignature(prefix: 'webhook' | 'svix'): Pick<
  HookProvider,
  'createSecret' | 'secretFault' | 'isSigned' | 'sign'
> & {
  eventId(request: HookRequest): string;
} {
  const names = { id: `${prefix}-id`, timestamp: `${prefix}-timestamp`, signature: `${prefix}-signature` };
  return {
    createSecret: createWebhookSecret,
    secretFault(secret) {
      const secrets = currentSecrets(secret);
      const isGood = (one: string) => {
        const { length } = webhookSecretBytes(plain(one));
        return SECRET.test(one) && length >= BYTES_MIN && length <= BYTES_MAX;
      };
      return secrets.length > 0 && secrets.length <= SECRETS_MAX && secrets.every(isGood)
        ? null
        : 'must begin with whsec_ or v1,whsec_ and hold 24 to 64 bytes in base64';
    },
    isSigned(request, secret, nowMs) {
      const [id, seconds, signatures] = [names.id, names.timestamp, names.signature].map((name) =>
        headerOf(request, name),
      );
      if (!id || !seconds || !signatures || !/^\d{1,12}$/.test(seconds)) return false;
      if (!isRecent(Number(seconds) * 1_000, nowMs)) return false;
      const shown = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []));
      return currentSecrets(secret).some((one) => {
        const expected = signatureOf(one, id, seconds, request.body);
        return shown.some((signature) => isSameText(signature, expected));
      });
    },
    sign(body, id, secret, nowMs) {
      const seconds = String(Math.floor(nowMs / 1_000));
      return {
        [names.id]: id,
        [names.timestamp]: seconds,
        [names.signature]: `v1,${signatureOf(newestSecret(secret), id, seconds, body)}`,
      };
    },
    eventId: (request) => headerOf(request, names.id) ?? '',
  };
}

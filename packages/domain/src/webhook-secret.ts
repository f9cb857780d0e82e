import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Within the 24 to 64 that Standard Webhooks asks for. */
const SECRET_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** What an endpoint's messages are signed with, as its owner gets it. */
export const createWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export const webhookSecretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(PREFIX.length), 'base64');

export interface SecretBox {
  seal(endpointId: string, secret: string): string;
  /** Throws when none of the keys fits, or when it was sealed for another endpoint. */
  open(endpointId: string, sealed: string): string;
}

/**
 * AES-256-GCM. A signature needs the secret itself, so unlike API keys it cannot be kept as a hash; without the key of
 * this box a copy of the database signs nothing. The endpoint's id is part of what is authenticated: a sealed secret
 * that was copied to another row does not open. Of several keys the first seals and all open, so that one can be replaced.
 */
export function createSecretBox(keys: string): SecretBox {
  const derived = keys
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)
    .map((key) => Buffer.from(hkdfSync('sha256', key, '', 'verdict webhook secrets', 32)));
  const [newest] = derived;
  if (!newest) throw new Error('there is no key to seal webhook secrets with');

  return {
    seal(endpointId, secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest, iv).setAAD(Buffer.from(endpointId));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
    },
    open(endpointId, sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const iv = bytes.subarray(0, IV_BYTES);
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      for (const key of derived) {
        const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(endpointId))
          .setAuthTag(tag);
        try {
          return (
            decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
          );
        } catch {
          // Sealed with another of the keys.
        }
      }
      throw new Error(`the secret of ${endpointId} cannot be opened with WEBHOOK_SECRETS_KEY`);
    },
  };
}

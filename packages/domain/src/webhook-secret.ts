import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Within the 24 to 64 that Standard Webhooks asks for. */
const SECRET_BYTES = 32;

/**
 * The signing secret of an endpoint, as its owner gets it. Signing needs the secret itself, so it is encrypted instead
 * of hashed and bound to the id of its endpoint.
 */
export const createWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export const webhookSecretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(PREFIX.length), 'base64');

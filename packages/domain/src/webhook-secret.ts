import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Within the 24 to 64 that Standard Webhooks asks for. */
const SECRET_BYTES = 32;

/**
 * What an endpoint's messages are signed with, as its owner gets it. A signature needs the secret itself, so unlike API keys
 * it cannot be kept as a hash: it is sealed, about the id of its endpoint, and in another row it does not open.
 */
export const createWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export const webhookSecretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(PREFIX.length), 'base64');

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** 132 bits: enough to distinguish every address, and half the index of a full digest. */
const HASH_CHARS = 22;

/**
 * Keyed hash of the canonical (lower-case) address: finds a person's checks without holding the address, and cannot be
 * searched without the secret.
 */
export const hashEmail = (secret: string, email: string): string =>
  createHmac('sha256', keyOf(secret)).update(email.toLowerCase()).digest('base64url').slice(0, HASH_CHARS);

// One address is hashed per check, always with the same secret: preparing the key each time would cost as much again.
let cachedSecret = '';
let cachedKey: KeyObject | undefined;

function keyOf(secret: string): KeyObject {
  if (cachedKey === undefined || secret !== cachedSecret) {
    cachedSecret = secret;
    cachedKey = createSecretKey(secret, 'utf8');
  }
  return cachedKey;
}

import { createHmac } from 'node:crypto';

const HASH_BYTES = 16;

/**
 * Keyed hash of the canonical (lower-case) address: finds a person's checks without holding the address, and cannot be
 * searched without the secret. 128 bits keep the index a third of the size of a full digest.
 */
export const hashEmail = (secret: string, email: string): string =>
  createHmac('sha256', secret)
    .update(email.toLowerCase())
    .digest()
    .subarray(0, HASH_BYTES)
    .toString('base64url');

import { createHmac, randomFillSync } from 'node:crypto';
import { createSealer, type Sealer } from '../sealed-text.js';

/**
 * Seals hook secrets for Redis. Gateways verify signatures and have no SECRETS_KEY, so the key comes from the token that
 * they share with the control plane; a projection made with another token counts as lost.
 */
export const createHookSealer = (internalToken: string): Sealer =>
  createSealer(createHmac('sha256', internalToken).update('hook secrets').digest('base64'), randomFillSync);

import { createHash, createHmac, randomBytes } from 'node:crypto';
import { idPattern } from '@verdict/contracts/id-pattern.js';

/** `<session id>.<secret>`: opaque to clients, stored as a hash only. */
export function createRefreshToken(sessionId: string) {
  const secret = randomBytes(32).toString('base64url');
  const chainKey = randomBytes(32).toString('hex');
  return { token: tokenOf(sessionId, secret), stored: { tokenHash: hashSecret(secret), chainKey } };
}

const SHAPE = new RegExp(`^(${idPattern('ses')})\\.([A-Za-z0-9_-]{43})$`);

export function readRefreshToken(token: string): { sessionId: string; secret: string } | null {
  const [, sessionId, secret] = SHAPE.exec(token) ?? [];
  return sessionId && secret ? { sessionId, secret } : null;
}

export const tokenOf = (sessionId: string, secret: string): string => `${sessionId}.${secret}`;

/**
 * The successor of a secret. Deriving it needs both the token and the session's key, and the newest token can be found
 * from an old one without storing those in between.
 */
export const nextSecret = (chainKey: string, secret: string): string =>
  createHmac('sha256', chainKey).update(secret).digest('base64url');

/** 256 random bits cannot be searched, so a plain hash will do. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

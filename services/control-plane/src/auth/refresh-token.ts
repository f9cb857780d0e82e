import { createHash, randomBytes } from 'node:crypto';

/** `<session id>.<secret>`: opaque to clients, stored as a hash only. */
export function createRefreshToken(sessionId: string): { token: string; hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { token: `${sessionId}.${secret}`, hash: hashSecret(secret) };
}

const SHAPE = /^(ses_[0-9A-HJKMNP-TV-Z]{26})\.([A-Za-z0-9_-]{43})$/;

export function readRefreshToken(token: string): { sessionId: string; hash: string } | null {
  const [, sessionId, secret] = SHAPE.exec(token) ?? [];
  return sessionId && secret ? { sessionId, hash: hashSecret(secret) } : null;
}

/** 256 random bits cannot be searched, so a plain hash will do. */
const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

import { createHash, randomBytes } from 'node:crypto';

/** The token of a link in a mail, and the hash that is stored. */
export function createLinkToken(): { readonly token: string; readonly hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashLinkToken(token) };
}

/** 256 random bits cannot be searched, so a plain hash will do. */
export const hashLinkToken = (token: string): string => createHash('sha256').update(token).digest('hex');

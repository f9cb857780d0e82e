import { randomBytes } from 'node:crypto';
import { currentSecrets, newestSecret } from './current-secrets.js';
import type { HookProvider } from './hook-provider.js';
import { headerOf } from './payload-fields.js';
import { isSameText } from './same-text.js';

const SECRET = /^[\x21-\x7e]{16,256}$/;

export const createSharedSecret = (): string => `vhs_${randomBytes(32).toString('base64url')}`;

/** The rule for secrets that are plain text. */
export const sharedSecretFault = (secret: string): string | null =>
  SECRET.test(secret) && currentSecrets(secret).every((one) => one.length >= 16)
    ? null
    : 'must have 16 to 256 printable characters';

/** For providers that sign nothing: the secret itself, in the Authorization header. */
export const sharedSecret: Pick<HookProvider, 'createSecret' | 'secretFault' | 'isSigned' | 'sign'> = {
  createSecret: createSharedSecret,
  secretFault: sharedSecretFault,
  isSigned(request, secret) {
    const shown = headerOf(request, 'authorization')?.replace(/^bearer /i, '');
    return shown !== undefined && currentSecrets(secret).some((one) => isSameText(shown, one));
  },
  sign: (_body, _id, secret) => ({ authorization: `Bearer ${newestSecret(secret)}` }),
};

import { Type } from 'typebox';

const KEY = '[A-Za-z0-9+/_-]{43}=?';

/** Alike in every service that seals or opens. */
export const SECRETS_KEY = Type.Optional(
  Type.String({
    pattern: `^${KEY}(,${KEY})*$`,
    description:
      '32 random bytes in base64 that encrypt webhook secrets, two-factor secrets and queued mails. Several, separated by commas, during a rotation; the first encrypts',
  }),
);

/** Alike where addresses are hashed and where their hashes are looked up. */
export const EMAIL_HASH_SECRET = Type.String({
  minLength: 16,
  description: 'Key of the hash that finds the rows of an address',
});

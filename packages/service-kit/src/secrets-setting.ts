import { Type } from 'typebox';

const KEY = '[A-Za-z0-9+/_-]{43}=?';

/** Alike in every service that seals or opens. */
export const SECRETS_KEY = Type.Optional(
  Type.String({
    pattern: `^${KEY}(,${KEY})*$`,
    description:
      '32 random bytes in base64 that seal what must be read again: secrets of webhook endpoints and of authenticator apps, mails that wait. Several, separated by commas, while it is rotated; the first one seals. Needed for webhooks, second factors and mail',
  }),
);

import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export interface Sealer {
  /** `about` says what the text belongs to; it opens for nothing else. */
  seal(text: string, about: string): string;
  /** Null when none of the keys made it, or it was made for something else. */
  open(sealed: string, about: string): string | null;
  /** Whether the first key made it. */
  isNewest(sealed: string): boolean;
}

export const aboutSecondFactor = (userId: string): string => `second factor of ${userId}`;

export const aboutSignOn = (accountId: string): string => `single sign-on of ${accountId}`;

/**
 * Encrypts text for the database, so that the database alone does not reveal it. During a rotation there are several
 * keys, separated by commas: the first encrypts, each decrypts.
 */
export function createSealer(keys: string, fillRandom: (bytes: Uint8Array) => void): Sealer {
  const known = keys.split(',').map((key) => parseKey(key.trim()));
  const [first] = known;
  if (!first) throw new Error('no key');
  return {
    seal(text, about) {
      const iv = new Uint8Array(IV_BYTES);
      fillRandom(iv);
      const cipher = createCipheriv(ALGORITHM, first.key, iv).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${first.name}.${Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url')}`;
    },
    isNewest: (sealed) => sealed.startsWith(`${first.name}.`),
    open(sealed, about) {
      const [name, text = ''] = sealed.split('.', 2);
      const made = known.find((key) => key.name === name);
      const bytes = Buffer.from(text, 'base64url');
      if (!made || bytes.length < IV_BYTES + TAG_BYTES) return null;
      try {
        const decipher = createDecipheriv(ALGORITHM, made.key, bytes.subarray(0, IV_BYTES))
          .setAAD(Buffer.from(about))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        return (
          decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        );
      } catch {
        return null;
      }
    },
  };
}

function parseKey(text: string): { name: string; key: Buffer } {
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES) throw new Error('a key of 32 bytes in base64 is needed');
  return { name: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}

/** Crockford's base 32: no I, L, O or U. */
export const ID_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_CHARS = 16;
const POOL_IDS = 512;

export type IdPrefix =
  | 'log'
  | 'req'
  | 'acc'
  | 'usr'
  | 'key'
  | 'ses'
  | 'lst'
  | 'aud'
  | 'era'
  | 'bat'
  | 'plr'
  | 'whe'
  | 'evt'
  | 'whd'
  | 'hok'
  | 'mal'
  | 'inv'
  | 'job'
  | 'bkt'
  | 'bst'
  | 'lok';
export type CreateId = (prefix: IdPrefix) => string;

/**
 * Ids that sort by time: a prefix and a ULID. Hand-written because every check makes one and the ulid package draws
 * its randomness byte by byte; this draws it for 512 ids together.
 */
export function createIdFactory(now: () => number, fillRandom: (bytes: Uint8Array) => void): CreateId {
  const bytes = new Uint8Array(POOL_IDS * RANDOM_CHARS);
  const text = Buffer.from(bytes.buffer);
  let pool = '';
  let offset = bytes.length;
  let lastMs = -1;
  let timePart = '';

  return (prefix) => {
    const ms = now();
    if (ms !== lastMs) {
      lastMs = ms;
      timePart = encodeTime(ms);
    }
    if (offset === bytes.length) {
      fillRandom(bytes);
      for (let i = 0; i < bytes.length; i++) bytes[i] = ID_ALPHABET.charCodeAt((bytes[i] as number) & 31);
      pool = text.toString('latin1');
      offset = 0;
    }
    // Cut out of one text: adding characters one by one leaves a string behind for each.
    const random = pool.slice(offset, offset + RANDOM_CHARS);
    offset += RANDOM_CHARS;
    return `${prefix}_${timePart}${random}`;
  };
}

/** The millisecond at which an id was made. */
export function timeOfId(id: string): number {
  const text = id.slice(id.indexOf('_') + 1);
  let ms = 0;
  for (let i = 0; i < 10; i++) ms = ms * 32 + ID_ALPHABET.indexOf(text[i] ?? '');
  return ms;
}

/** The first ten characters of an id that is made in this millisecond. */
export function encodeTime(ms: number): string {
  const codes = new Array<number>(10);
  let rest = ms;
  for (let i = 9; i >= 0; i--) {
    codes[i] = ID_ALPHABET.charCodeAt(rest % 32);
    rest = Math.floor(rest / 32);
  }
  return String.fromCharCode(...codes);
}

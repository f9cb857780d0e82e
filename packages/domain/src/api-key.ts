import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyMode } from './key-words.js';

/**
 * `vrd_live_` or `vrd_test_` + 32 base62 characters (190 random bits) + 6 base62 characters of CRC-32; for secret
 * scanners: `vrd_(live|test)_[0-9A-Za-z]{38}`. A double click selects it, and the checksum refuses a mistyped key
 * without any I/O.
 */
const PREFIXES = { live: 'vrd_live_', test: 'vrd_test_' } as const satisfies Record<KeyMode, string>;
const PREFIX_CHARS = PREFIXES.live.length;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARS = 32;
const CHECKSUM_CHARS = 6;
const API_KEY_LENGTH = PREFIX_CHARS + SECRET_CHARS + CHECKSUM_CHARS;

export function createApiKey(fillRandom: (bytes: Uint8Array) => void, mode: KeyMode = 'live'): string {
  let secret = '';
  const bytes = new Uint8Array(64);
  while (secret.length < SECRET_CHARS) {
    fillRandom(bytes);
    for (const byte of bytes) {
      // 248 is the largest multiple of 62 that fits a byte: the rest is drawn again, or some letters would be likelier.
      if (byte < 248 && secret.length < SECRET_CHARS) secret += BASE62[byte % 62];
    }
  }
  const body = PREFIXES[mode] + secret;
  return body + checksum(body);
}

/** False for anything that cannot be a key of ours: a typo, a truncated paste, another product's key. */
export function isWellFormedApiKey(value: string): boolean {
  if (value.length !== API_KEY_LENGTH) return false;
  if (!value.startsWith(PREFIXES.live) && !isTestApiKey(value)) return false;
  const body = value.slice(0, -CHECKSUM_CHARS);
  for (let i = PREFIX_CHARS; i < body.length; i++) {
    if (!isBase62(body.charCodeAt(i))) return false;
  }
  return checksum(body) === value.slice(-CHECKSUM_CHARS);
}

export const isTestApiKey = (value: string): boolean => value.startsWith(PREFIXES.test);

/** The only form of a key that is stored. The key has 190 random bits, so a plain hash cannot be searched. */
export const hashApiKey = (value: string): string => hash('sha256', value, 'hex');

/** The part of a key that listings may show. */
export const apiKeyHints = (value: string): { prefix: string; lastFour: string } => ({
  prefix: value.slice(0, PREFIX_CHARS + 4),
  lastFour: value.slice(-4),
});

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

const isBase62 = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

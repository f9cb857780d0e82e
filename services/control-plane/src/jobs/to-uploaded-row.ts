import type { UploadedRow } from '@verdict/db/bulk/bulk-upload.js';
import { addressHash } from '@verdict/domain/address/address-hash.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import type { FileRow } from './file-rows.js';

const UNSTORABLE = /[\p{Cc}\p{Cs}]+/gu;

/** A row as it is stored: its address, by the rules of every check, or what is wrong with it. */
export function toUploadedRow({ cells, email, fault }: FileRow): UploadedRow {
  if (email === undefined || email.trim() === '') {
    return { cells, hash: null, email: null, error: fault ?? 'an email address is missing' };
  }
  const parsed = parseEmail(email);
  if (!parsed.ok) return { cells, hash: null, email: null, error: parsed.message.replace(UNSTORABLE, ' ') };
  const { text, canonical } = parsed.address;
  return { cells, hash: addressHash(canonical), email: text, error: null };
}

import { hashEmail } from '../email-hash.js';
import { addressHash } from './address-hash.js';
import { emailSpellings } from './email-spellings.js';
import { mailboxOf } from './mailbox-of.js';
import { parseEmail } from './parse-email.js';

/** The keys under which a person's address is kept: keyed hashes, hashes in files, and plain values on lists. */
export function subjectKeys(email: string, hashSecret: string) {
  const spellings = emailSpellings(email);
  const parsed = parseEmail(email);
  return {
    hashes: spellings.map((spelling) => hashEmail(hashSecret, spelling)),
    fileHashes: spellings.map(addressHash),
    values: [...new Set([...spellings, ...(parsed.ok ? [mailboxOf(parsed.address, true)] : [])])],
  };
}

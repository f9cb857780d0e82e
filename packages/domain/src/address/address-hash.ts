import { hash } from 'node:crypto';

/** As many digits as a UUID has, which is how Postgres keeps it. */
const HASH_CHARS = 32;

/** How two spellings of one mailbox in a file are known to be the same: by the hash of the canonical address. */
export const addressHash = (canonical: string): string =>
  hash('sha256', canonical.toLowerCase(), 'hex').slice(0, HASH_CHARS);

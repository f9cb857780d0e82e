import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Answers with the checked addresses, whatever name is asked for. */
export const pinnedTo =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, options, callback) => {
    if (options.all) return callback(null, [...addresses]);
    const [first] = addresses as [LookupAddress];
    callback(null, first.address, first.family);
  };

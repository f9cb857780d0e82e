import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IpOrigins, NO_ORIGINS } from '@verdict/datasets/ip-origins/ip-origins.js';
import { ORIGINS_FILE, readIpOrigins } from '@verdict/datasets/ip-origins/open-ip-origins.js';
import type { Logger } from '@verdict/service-kit/logger.js';

/**
 * The shipped origins of IPs. None are known until they are loaded, and none if the file cannot be used: rules depend
 * on the kind of a network, which must not wait for them.
 */
export function createShippedIpOrigins(directory: string, log: Logger) {
  let origins: IpOrigins = NO_ORIGINS;
  return {
    current: () => origins,
    async load(): Promise<void> {
      try {
        const { header, open } = readIpOrigins(await readFile(join(directory, ORIGINS_FILE)));
        origins = await open();
        // A service that is up and well is silent.
        log.debug({ as_of: header.as_of }, 'origins of IPs loaded');
      } catch (error) {
        log.error({ cause: (error as Error).message }, 'the origins of IPs cannot be used, none are said');
      }
    },
  };
}

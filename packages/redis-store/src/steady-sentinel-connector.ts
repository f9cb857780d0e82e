import { type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/**
 * Stops listening for the failover of the last master before it asks for the next one. ioredis would hear it while a
 * Sentinel is being asked, take that for the wish to close, and never connect again.
 */
export class SteadySentinelConnector extends SentinelConnector {
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override connect(...args: Parameters<SentinelConnector['connect']>) {
    // biome-ignore lint/complexity/useLiteralKeys: ioredis declares it private.
    this['failoverDetector']?.cleanup();
    return super.connect(...args);
  }
}

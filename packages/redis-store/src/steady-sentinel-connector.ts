import { type Redis, type SentinelConnectionOptions, SentinelConnector } from 'ioredis';
import { withoutPrinting } from './without-printing.js';

/**
 * Stops listening for the failover of the last master before it asks for the next one. ioredis would hear it while a
 * Sentinel is being asked, take that for the wish to close, and never connect again.
 */
export class SteadySentinelConnector extends SentinelConnector {
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
    // biome-ignore lint/complexity/useLiteralKeys: ioredis declares it private.
    const connectTo: (...args: unknown[]) => Redis = this['connectToSentinel'].bind(this);
    // Connections that wait for the news of a failover outlive a Sentinel that is away.
    // biome-ignore lint/complexity/useLiteralKeys: ioredis declares it private.
    this['connectToSentinel'] = (...args: unknown[]) => withoutPrinting(connectTo(...args));
  }

  override connect(...args: Parameters<SentinelConnector['connect']>) {
    // biome-ignore lint/complexity/useLiteralKeys: ioredis declares it private.
    this['failoverDetector']?.cleanup();
    return super.connect(...args);
  }
}

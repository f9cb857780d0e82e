import { every } from '@verdict/service-kit/every.js';
import { createSingleFlight } from '@verdict/service-kit/single-flight.js';
import { isAbsence, type ResolverPair } from './resolver-pair.js';

/** Whether the resolver can be trusted about absences. */
export interface Canary {
  /** Asks again when the last opinion is older than `freshMs`. */
  isHealthy(): Promise<boolean>;
  /** The last opinion, for metrics and probes; undefined before the first. */
  lastOpinion(): boolean | undefined;
  close(): void;
}

interface CanaryOptions {
  readonly resolvers: ResolverPair;
  /** Domains that certainly have mail servers. */
  readonly domains: readonly string[];
  readonly freshMs: number;
  readonly onChange: (healthy: boolean) => void;
  readonly now?: () => number;
}

const UNHEALTHY_HASTE = 6;

/**
 * A resolver behind a captive portal or in a closed network answers NXDOMAIN for everything. One domain that resolves
 * is enough to trust it; otherwise absences are ignored.
 */
export function createCanary({
  resolvers,
  domains,
  freshMs,
  onChange,
  now = Date.now,
}: CanaryOptions): Canary {
  let opinion: boolean | undefined;
  let formedAt = 0;
  const inOneFlight = createSingleFlight<boolean>();
  const stop = every(freshMs, form, () => undefined);

  function form(): Promise<boolean> {
    return inOneFlight('opinion', async () => {
      const healthy = await Promise.any(domains.map((domain) => hasMail(resolvers, domain))).catch(
        () => false,
      );
      formedAt = now();
      if (healthy !== opinion) onChange(healthy);
      opinion = healthy;
      return healthy;
    });
  }

  return {
    async isHealthy() {
      // A bad opinion is worth less than a good one: resolvers recover.
      const holdsFor = opinion === true ? freshMs : freshMs / UNHEALTHY_HASTE;
      return opinion !== undefined && now() - formedAt < holdsFor ? opinion : form();
    },
    lastOpinion: () => opinion,
    close: () => void stop(),
  };
}

/** Rejects where there is none, so that `Promise.any` waits for a better one. */
async function hasMail(resolvers: ResolverPair, domain: string): Promise<true> {
  try {
    const records = await resolvers.ask((resolver) => resolver.resolveMx(domain));
    if (records.length > 0) return true;
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
  throw new Error(`${domain} has no mail servers`);
}

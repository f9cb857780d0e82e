import { Resolver } from 'node:dns/promises';

/** One question put to a resolver: `(resolver) => resolver.resolveMx('acme.com')`. */
export type Query<T> = (resolver: Resolver) => Promise<T>;

export interface ResolverPair {
  /** The first answer worth having. Rejects with the resolver's error when neither side has one. */
  ask<T>(query: Query<T>): Promise<T>;
  close(): void;
}

interface ResolverPairOptions {
  /** host:port each; none means the system's. */
  readonly servers: readonly string[];
  readonly timeoutMs: number;
  /** How long the first resolver may think before the second is asked as well. */
  readonly hedgeAfterMs: number;
}

/**
 * Two resolvers over the same servers, the second beginning with the next one. c-ares by itself retries for up to 27
 * seconds and in an order of its own; here a failure or a slow answer goes to the other side at once.
 */
export function createResolverPair({ servers, timeoutMs, hedgeAfterMs }: ResolverPairOptions): ResolverPair {
  const first = createResolver(servers, timeoutMs);
  const second = createResolver([...servers.slice(1), ...servers.slice(0, 1)], timeoutMs);

  return {
    ask<T>(query: Query<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        let hedged = false;
        let failures = 0;
        const onError = (error: unknown) => {
          if (isAbsence(error)) return finish(() => reject(error));
          failures++;
          if (failures === 2) finish(() => reject(error));
          else hedge();
        };
        const finish = (settle: () => void) => {
          clearTimeout(timer);
          settle();
        };
        const start = (resolver: Resolver) => {
          query(resolver).then((answer) => finish(() => resolve(answer)), onError);
        };
        const hedge = () => {
          if (hedged) return;
          hedged = true;
          start(second);
        };
        const timer = setTimeout(hedge, hedgeAfterMs);
        start(first);
      });
    },
    close() {
      first.cancel();
      second.cancel();
    },
  };
}

/** The resolver did answer: there is no such name, or no such record. Everything else is its own trouble. */
export function isAbsence(error: unknown): boolean {
  return isNoSuchName(error) || isNoSuchRecord(error);
}

export function isNoSuchName(error: unknown): boolean {
  return codeOf(error) === 'ENOTFOUND';
}

export function isNoSuchRecord(error: unknown): boolean {
  return codeOf(error) === 'ENODATA';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function createResolver(servers: readonly string[], timeoutMs: number): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

import { Resolver } from 'node:dns/promises';

/** One question put to a resolver: `(resolver) => resolver.resolveMx('acme.com')`. */
export type Query<T> = (resolver: Resolver) => Promise<T>;

/**
 * The queries of one look-up. The side that answered the first gets the others, and only one query may go to both,
 * which bounds what a stranger's domain makes us send.
 */
export interface Course {
  first: 0 | 1;
  second: boolean;
}

export const newCourse = (): Course => ({ first: 0, second: true });

export interface ResolverPair {
  /** The first answer worth having. Rejects with the resolver's error when neither side has one. */
  ask<T>(query: Query<T>, course?: Course): Promise<T>;
  close(): void;
}

interface ResolverPairOptions {
  /** host:port each; none means the system's. */
  readonly servers: readonly string[];
  readonly timeoutMs: number;
  /** How long the first resolver may take before the second is asked too. */
  readonly hedgeAfterMs: number;
}

/**
 * Two resolvers over the same servers, in rotated order. c-ares retries for up to 27 seconds in its own order; here a
 * failure or a slow answer goes to the other side immediately.
 */
export function createResolverPair({ servers, timeoutMs, hedgeAfterMs }: ResolverPairOptions): ResolverPair {
  const sides = [
    createResolver(servers, timeoutMs),
    createResolver([...servers.slice(1), ...servers.slice(0, 1)], timeoutMs),
  ] as const;

  return {
    ask<T>(query: Query<T>, course: Course = newCourse()): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const first = course.first;
        let asked = 0;
        let failures = 0;
        const finish = (settle: () => void) => {
          clearTimeout(timer);
          settle();
        };
        const onError = (error: unknown, side: 0 | 1) => {
          if (isAbsence(error)) {
            course.first = side;
            return finish(() => reject(error));
          }
          failures++;
          hedge();
          if (failures === asked) finish(() => reject(error));
        };
        const start = (side: 0 | 1) => {
          asked++;
          query(sides[side]).then(
            (answer) => {
              course.first = side;
              finish(() => resolve(answer));
            },
            (error: unknown) => onError(error, side),
          );
        };
        const hedge = () => {
          if (!course.second) return;
          course.second = false;
          start(first === 0 ? 1 : 0);
        };
        const timer = setTimeout(hedge, hedgeAfterMs);
        start(first);
      });
    },
    close() {
      for (const side of sides) side.cancel();
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

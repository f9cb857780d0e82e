import { setTimeout as delay } from 'node:timers/promises';
import { http } from '@verdict/local-stack/http.js';

interface LoadOptions {
  /** One or more, used in turn; each ends with /api/v1/. */
  readonly baseUrls: readonly string[];
  readonly apiKey: string;
  readonly connections: number;
  /** Of all connections together. */
  readonly perSecond: number;
}

export type LoadResult = Awaited<ReturnType<ReturnType<typeof startCheckLoad>['stop']>>;

/** Sends one check after the other on each connection and never retries, so that every failure shows. */
export function startCheckLoad({ baseUrls, apiKey, connections, perSecond }: LoadOptions) {
  const accepted: string[] = [];
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const startedAt = performance.now();
  const pauseMs = (1000 * connections) / perSecond;
  let attempts = 0;
  let isStopping = false;
  let lastAcceptedAt = startedAt;
  let longestGapMs = 0;

  async function attempt(): Promise<void> {
    attempts++;
    const sentAt = performance.now();
    const { status, body } = await http<{ id: string }>(`${baseUrls[attempts % baseUrls.length]}check/`, {
      headers: { 'x-api-key': apiKey },
      json: { email: `load-${attempts}@gmail.com` },
    });
    if (status !== 200) return fail(status);
    accepted.push(body.id);
    const now = performance.now();
    latencies.push(now - sentAt);
    longestGapMs = Math.max(longestGapMs, now - lastAcceptedAt);
    lastAcceptedAt = now;
  }

  function fail(what: string | number): void {
    failures[what] = (failures[what] ?? 0) + 1;
  }

  async function runConnection(): Promise<void> {
    while (!isStopping) {
      const from = performance.now();
      await attempt().catch((error: Error & { code?: string }) => fail(error.code ?? error.name));
      const restMs = pauseMs - (performance.now() - from);
      if (restMs > 0) await delay(restMs);
    }
  }

  const running = Promise.all(Array.from({ length: connections }, runConnection));
  return {
    accepted: () => accepted.length,
    attempts: () => attempts,
    async stop() {
      isStopping = true;
      await running;
      const sorted = latencies.sort((a, b) => a - b);
      const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
      return {
        attempts,
        /** Log ids of the checks whose whole answer was read with status 200. */
        accepted,
        /** All others, by status or by the code of a broken connection. */
        failures,
        seconds: (performance.now() - startedAt) / 1000,
        /** Milliseconds, of accepted checks. */
        p50: at(0.5),
        p99: at(0.99),
        /** The longest time in which no check was accepted. */
        longestGapMs: Math.round(longestGapMs),
      };
    },
  };
}

export const failuresOf = ({ attempts, accepted }: LoadResult): number => attempts - accepted.length;

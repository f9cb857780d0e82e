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
  const accepted: { readonly id: string; readonly at: number; readonly ms: number }[] = [];
  const failures: Record<string, number> = {};
  const refusals: { readonly what: string; readonly requestId: string | null }[] = [];
  const startedAt = performance.now();
  const pauseMs = (1000 * connections) / perSecond;
  let attempts = 0;
  let isStopping = false;

  async function attempt(): Promise<void> {
    const sentAt = performance.now();
    const url = `${baseUrls[++attempts % baseUrls.length]}check/`;
    const json = { email: `load-${attempts}@gmail.com` };
    const { status, body, headers } = await http<{ id: string; code?: string }>(url, {
      headers: { 'x-api-key': apiKey },
      json,
    }).catch((error: Error & { code?: string }) => ({
      status: error.code ?? error.name,
      body: null,
      headers: null,
    }));
    const at = performance.now();
    if (status === 200 && body) accepted.push({ id: body.id, at, ms: at - sentAt });
    else {
      failures[status] = (failures[status] ?? 0) + 1;
      const requestId = headers?.['x-request-id']?.toString() ?? null;
      const by = headers && !requestId ? ', not from a gateway' : '';
      refusals.push({
        what: `${status} ${body?.code ?? ''} after ${Math.round(at - startedAt)} ms${by}`,
        requestId,
      });
    }
    if (at - sentAt < pauseMs) await delay(pauseMs - (at - sentAt));
  }

  const running = Array.from({ length: connections }, async () => {
    while (!isStopping) await attempt();
  });
  return {
    accepted: () => accepted.length,
    attempts: () => attempts,
    seconds: () => (performance.now() - startedAt) / 1000,
    async stop() {
      isStopping = true;
      await Promise.all(running);
      const sorted = accepted.map(({ ms }) => ms).sort((a, b) => a - b);
      const percentile = (share: number) =>
        Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
      const gaps = accepted.map(({ at }, i) => at - (accepted[i - 1]?.at ?? startedAt));
      return {
        attempts,
        /** Log ids of the checks whose whole answer was read with status 200. */
        accepted: accepted.map(({ id }) => id),
        /** All others, by status or by the code of a broken connection. */
        failures,
        /** Each of them in words, with its time since the start. */
        refusals,
        seconds: (performance.now() - startedAt) / 1000,
        /** Milliseconds, of accepted checks. */
        p50: percentile(0.5),
        p99: percentile(0.99),
        /** The longest time in which no check was accepted. */
        longestGapMs: Math.round(gaps.reduce((a, b) => Math.max(a, b), 0)),
      };
    },
  };
}

export const failuresOf = ({ attempts, accepted }: LoadResult): number => attempts - accepted.length;

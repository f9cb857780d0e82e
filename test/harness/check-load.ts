import { Agent, request } from 'undici';

export interface LoadResult {
  readonly attempts: number;
  /** Log ids of the checks whose whole answer was read with status 200. */
  readonly accepted: readonly string[];
  /** Everything else, by what happened: a status, or the code of a broken connection. */
  readonly failures: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Milliseconds, of accepted checks. */
  readonly p50: number;
  readonly p99: number;
  /** The longest time in which no check was accepted. */
  readonly longestGapMs: number;
}

export interface CheckLoad {
  /** How many so far. */
  accepted(): number;
  attempts(): number;
  stop(): Promise<LoadResult>;
}

interface LoadOptions {
  /** One or more, taken in turn; each ends with /api/v1/. */
  readonly baseUrls: readonly string[];
  readonly apiKey: string;
  readonly connections: number;
  /** Of all connections together. */
  readonly perSecond: number;
}

/**
 * Clients that send one check after the other over connections that they keep, and never send one twice: what a
 * failure costs is seen, not hidden.
 */
export function startCheckLoad({ baseUrls, apiKey, connections, perSecond }: LoadOptions): CheckLoad {
  const agent = new Agent({ connections, pipelining: 1, keepAliveTimeout: 30_000 });
  const accepted: string[] = [];
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const startedAt = performance.now();
  const pauseMs = (1000 * connections) / perSecond;
  let attempts = 0;
  let stopping = false;
  let lastAcceptedAt = startedAt;
  let longestGapMs = 0;

  async function attempt(): Promise<void> {
    attempts++;
    const sentAt = performance.now();
    try {
      const answer = await request(`${baseUrls[attempts % baseUrls.length]}check/`, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({ email: `load-${attempts}@gmail.com` }),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) return fail(String(answer.statusCode));
      accepted.push((JSON.parse(text) as { id: string }).id);
      const now = performance.now();
      latencies.push(now - sentAt);
      longestGapMs = Math.max(longestGapMs, now - lastAcceptedAt);
      lastAcceptedAt = now;
    } catch (error) {
      fail((error as { code?: string }).code ?? (error as Error).name);
    }
  }

  function fail(what: string): void {
    failures[what] = (failures[what] ?? 0) + 1;
  }

  async function client(): Promise<void> {
    while (!stopping) {
      const from = performance.now();
      await attempt();
      const rest = pauseMs - (performance.now() - from);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }

  let closed: Promise<void> | undefined;
  const clients = Promise.all(Array.from({ length: connections }, client));
  return {
    accepted: () => accepted.length,
    attempts: () => attempts,
    async stop() {
      stopping = true;
      await clients;
      closed ??= agent.close();
      await closed;
      const sorted = latencies.sort((a, b) => a - b);
      const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
      return {
        attempts,
        accepted,
        failures,
        seconds: (performance.now() - startedAt) / 1000,
        p50: at(0.5),
        p99: at(0.99),
        longestGapMs: Math.round(longestGapMs),
      };
    },
  };
}

export const failuresOf = (result: LoadResult): number => result.attempts - result.accepted.length;

import { setTimeout as delay } from 'node:timers/promises';
import { http } from '@verdict/local-stack/http.js';

/** One address in one request. A request with an Idempotency-Key is sent more than once. */
export interface Attempt {
  readonly accountId: string;
  /** Also the checked address, to find its row. */
  readonly email: string;
  /** 0 when there was no complete answer. */
  readonly status: number;
  readonly logId: string | null;
  readonly createdAt: string | null;
  readonly decision: string | null;
}

interface LoadOptions {
  readonly baseUrls: readonly string[];
  readonly accounts: readonly { readonly accountId: string; readonly apiKey: string }[];
  readonly clients: number;
  /** Unique to the run. */
  readonly tag: string;
  /** Sends every other request with an Idempotency-Key, to all gateways concurrently and again until all have answered. */
  readonly keyed?: boolean;
}

export interface Load {
  readonly attempts: readonly Attempt[];
  /** Lets every client finish what it has begun. */
  stop(): Promise<void>;
}

interface Check {
  readonly id: string;
  readonly created_at: string;
  readonly decision: string;
}

/** A client is a person's program, not a benchmark: services that start again need the processor too. */
const PAUSE_MS = 10;
const PAUSE_AFTER_FAILURE_MS = 50;
const BATCH_SIZE = 3;
/** The domain of every fifth request, for accounts that list it. */
export const LISTED_DOMAIN = 'listed.example';

/** Clients that check fresh addresses, alone or in batches, one request after the other, each at the next gateway. */
export function startLoad({ baseUrls, accounts, clients, tag, keyed = false }: LoadOptions): Load {
  const attempts: Attempt[] = [];
  let stopped = false;
  let next = 0;

  async function send(number: number, baseUrl: string, key: string | null): Promise<number> {
    const { accountId, apiKey } = accounts[
      Math.floor(number / 2) % accounts.length
    ] as (typeof accounts)[number];
    const domain = number % 5 === 0 ? LISTED_DOMAIN : 'load.example';
    const size = number % 3 === 0 ? BATCH_SIZE : 1;
    const emails = Array.from({ length: size }, (_, i) => `${tag}-${number}-${i}@${domain}`);
    const items = emails.map((email) => ({ email }));
    const answer = await http<Partial<Check> & { results?: { check: Check }[] }>(
      `${baseUrl}check/${size > 1 ? 'batch/' : ''}`,
      {
        headers: { 'x-api-key': apiKey, ...(key && { 'idempotency-key': key }) },
        json: size > 1 ? { items } : items[0],
      },
    ).catch(() => null);
    const { status = 0, body = {} } = answer ?? {};
    const checks = body.results?.map(({ check }) => check) ?? [body];
    for (const [i, email] of emails.entries()) {
      const { id: logId = null, created_at: createdAt = null, decision = null } = checks[i] ?? {};
      attempts.push({ accountId, email, status, logId, createdAt, decision });
    }
    return status;
  }

  const isOver = (status: number) => status !== 0 && status !== 503;
  async function request(): Promise<void> {
    const number = next++;
    const own = baseUrls[number % baseUrls.length] ?? '';
    if (!keyed || number % 2 === 1) {
      const status = await send(number, own, null);
      return delay(status === 200 ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS);
    }
    for (;;) {
      const twins = await Promise.all(baseUrls.map((url) => send(number, url, `${tag}-${number}`)));
      if (twins.every(isOver)) return delay(PAUSE_MS);
      await delay(PAUSE_AFTER_FAILURE_MS);
    }
  }
  const running = Array.from({ length: clients }, async () => {
    while (!stopped) await request();
  });
  return {
    attempts,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import { http } from '@verdict/local-stack/http.js';

export interface Attempt {
  /** Also the checked address, to find its row. */
  readonly email: string;
  /** 0 when there was no complete answer. */
  readonly status: number;
  readonly logId: string | null;
  readonly createdAt: string | null;
}

interface LoadOptions {
  readonly baseUrls: readonly string[];
  readonly apiKey: string;
  readonly clients: number;
  /** Unique to the run. */
  readonly tag: string;
}

export interface Load {
  readonly attempts: readonly Attempt[];
  /** Lets every client finish what it has begun. */
  stop(): Promise<void>;
}

/** A client is a person's program, not a benchmark: services that start again need the processor too. */
const PAUSE_MS = 10;
const PAUSE_AFTER_FAILURE_MS = 50;

/** Clients that check one fresh address after the other, each at the next gateway, whatever happens to it. */
export function startLoad({ baseUrls, apiKey, clients, tag }: LoadOptions): Load {
  const attempts: Attempt[] = [];
  let stopped = false;
  let next = 0;

  async function attempt(): Promise<Attempt> {
    const number = next++;
    const email = `${tag}-${number}@load.example`;
    try {
      const answer = await http<{ id?: string; created_at?: string }>(
        `${baseUrls[number % baseUrls.length]}check/`,
        {
          headers: { 'x-api-key': apiKey },
          json: { email },
        },
      );
      const { id = null, created_at: createdAt = null } = answer.body;
      return { email, status: answer.status, logId: id, createdAt };
    } catch {
      return { email, status: 0, logId: null, createdAt: null };
    }
  }
  const running = Array.from({ length: clients }, async () => {
    while (!stopped) {
      const done = await attempt();
      attempts.push(done);
      await delay(done.status === 200 ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS);
    }
  });
  return {
    attempts,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

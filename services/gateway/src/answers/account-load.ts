import type { AccountLoad as Load } from '@verdict/redis-store/account-load.js';
import { every } from '@verdict/service-kit/every.js';

interface Options {
  readonly send: (loads: readonly Load[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

interface Counted {
  readonly accountId: string;
  answered: number;
  refused: number;
}

export type AccountLoad = ReturnType<typeof createAccountLoad>;

const SEND_EVERY_MS = 1_000;
/** Of the accounts of a second; the largest of a fleet are among the largest of each gateway. */
const SENT_MAX = 500;

/** Counts answers by account in memory and sends the largest once a second. A second that cannot be sent is forgotten. */
export function createAccountLoad({ send, onError, everyMs = SEND_EVERY_MS }: Options) {
  let counts = new Map<string, Counted>();

  async function flush(): Promise<void> {
    if (counts.size === 0) return;
    const loads = [...counts.values()];
    counts = new Map();
    if (loads.length > SENT_MAX) {
      loads.sort((a, b) => b.answered + b.refused - a.answered - a.refused);
      loads.length = SENT_MAX;
    }
    await send(loads);
  }
  const stop = every(everyMs, flush, onError);

  return {
    note(accountId: string, checks: number, status: number) {
      let counted = counts.get(accountId);
      if (!counted) {
        counted = { accountId, answered: 0, refused: 0 };
        counts.set(accountId, counted);
      }
      if (status < 400) counted.answered += checks;
      else counted.refused += checks;
    },
    async close() {
      await stop();
      await flush().catch(onError);
    },
  };
}

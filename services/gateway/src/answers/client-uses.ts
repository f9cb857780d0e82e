import { CLIENT_USES_MAX, type ClientUse } from '@verdict/contracts/client-uses.js';
import type { Caller } from '@verdict/redis-store/step.js';
import { every } from '@verdict/service-kit/every.js';
import { LRUCache } from 'lru-cache';

interface Options {
  readonly send: (uses: readonly ClientUse[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

export type ClientUses = ReturnType<typeof createClientUses>;

const REPORT_EVERY_MS = 5_000;
const KEYS = { maxSize: 50_000, sizeCalculation: () => 1 };
/** Ours alone: a provider that calls a hook, or somebody's own program, says nothing about a release. */
const CLIENT = /^verdict-[a-z]{1,12}\/\d{1,3}\.\d{1,3}\.\d{1,3}(?=$| )/;

/**
 * Reports by which Verdict client a key is used, once until it changes, and how many IPs were left out. A usual check costs
 * a look into a map.
 */
export function createClientUses({ send, onError, everyMs = REPORT_EVERY_MS }: Options) {
  const told = new LRUCache<string, string>(KEYS);
  let uses = new Map<string, ClientUse>();

  /** False where a report is full. */
  function add(use: ClientUse): boolean {
    const known = uses.get(use.key_id);
    if (!known && uses.size >= CLIENT_USES_MAX) return false;
    const client = use.client ?? known?.client ?? null;
    uses.set(use.key_id, { ...use, client, dropped_ips: (known?.dropped_ips ?? 0) + use.dropped_ips });
    return true;
  }

  async function report(): Promise<void> {
    if (uses.size === 0) return;
    const sent = uses;
    uses = new Map();
    try {
      await send([...sent.values()]);
    } catch (error) {
      const since = uses;
      uses = sent;
      for (const use of since.values()) add(use);
      throw error;
    }
  }
  const stop = every(everyMs, report, onError);

  return {
    /** `agent` is the request's User-Agent. */
    note({ accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>, agent = '', droppedIps = 0) {
      if (droppedIps === 0 && told.get(keyId) === agent) return;
      const [client = null] = CLIENT.exec(agent) ?? [];
      const isNew = client !== null || droppedIps > 0;
      if (isNew && !add({ account_id: accountId, key_id: keyId, client, dropped_ips: droppedIps })) return;
      told.set(keyId, agent);
    },
    /** Sends what is left. */
    async close() {
      await stop();
      await report().catch(onError);
    },
  };
}

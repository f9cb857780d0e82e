import {
  REFUSED_GROUPS_MAX,
  REFUSED_SAMPLES_MAX,
  type RefusedGroup,
  type RefusedSample,
} from '@verdict/contracts/refused-requests.js';
import { every } from './every.js';
import type { Refusal } from './refusal-log.js';

interface Options {
  /** Stores the groups; what it throws back is sent again with the next report. */
  readonly send: (groups: readonly RefusedGroup[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

interface Counted extends Omit<RefusedGroup, 'samples'> {
  count: number;
  readonly samples: RefusedSample[];
}

const STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 429]);
/** A client chooses the names of fields that we do not know, so a name may be anything. */
const FIELD = /^[a-z][a-z0-9_.]{0,40}$/;
const REPORT_EVERY_MS = 5_000;

/**
 * Counts refused requests by key in memory and reports them in batches. A request costs one look into a map, and a
 * crash loses at most the last report: nothing is billed by it.
 */
export function createRefusedRequests({ send, onError, everyMs = REPORT_EVERY_MS }: Options) {
  let groups = new Map<string, Counted>();

  function add(group: RefusedGroup): void {
    const name = `${group.key_id} ${group.status} ${group.code}`;
    const known = groups.get(name);
    if (!known && groups.size >= REFUSED_GROUPS_MAX) return;
    if (!known) return void groups.set(name, { ...group, samples: [...group.samples] });
    known.count += group.count;
    known.samples.push(...group.samples);
    known.samples.splice(0, known.samples.length - REFUSED_SAMPLES_MAX);
  }

  async function report(): Promise<void> {
    if (groups.size === 0) return;
    const sent = [...groups.values()];
    groups = new Map();
    try {
      await send(sent);
    } catch (error) {
      for (const group of sent) add(group);
      throw error;
    }
  }
  const stop = every(everyMs, report, onError);

  return {
    note({ accountId, keyId, status, code, requestId, method, route, fields }: Refusal) {
      if (accountId === undefined || keyId === undefined || !STATUSES.has(status)) return;
      const sample = {
        request_id: requestId,
        at: new Date().toISOString(),
        method,
        path: route ?? '',
        fields: (fields ?? []).filter((field) => FIELD.test(field)),
      };
      add({ account_id: accountId, key_id: keyId, status, code, count: 1, samples: [sample] });
    },
    /** Sends what is left. */
    async close() {
      await stop();
      await report().catch(onError);
    },
  };
}

import { idPattern } from '@verdict/contracts/id-pattern.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import {
  type ProjectedHook,
  readHook,
  readHookOwner,
  readHookText,
} from '@verdict/redis-store/projected-hook.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import { tooManyRequests, unavailable } from '@verdict/service-kit/errors.js';
import { createSingleFlight } from '@verdict/service-kit/single-flight.js';
import { within } from '@verdict/service-kit/within.js';
import type { BlockedClients } from '@verdict/shares/blocked-clients.js';
import { inTurn } from '@verdict/shares/in-turn.js';
import { createSemaphore } from '@verdict/shares/semaphore.js';
import { LRUCache } from 'lru-cache';
import type { ControlPlaneClient } from '../clients/control-plane-client.js';
import type { HookLimits } from './hook-limits.js';

/** A hook as this request found it. */
export interface FoundHook extends ProjectedHook {
  readonly accountId: string;
  /** Redis did not answer: the check has to do without it, which it cannot. */
  readonly isRedisAway: boolean;
}

interface HooksOptions {
  readonly store: AccountStore;
  readonly controlPlane: Pick<ControlPlaneClient, 'findHook' | 'project'>;
  readonly sealer: Sealer;
  readonly blockedClients: BlockedClients;
  readonly limits: Pick<HookLimits, 'redisMs' | 'controlPlaneMs' | 'projectMs'>;
}

const HOOK_ID = new RegExp(`^${idPattern('hok')}$`);
const OWNERS = { maxSize: 50_000, sizeCalculation: () => 1 };
const ABSENT_MAX = 10_000;
const ABSENT_MS = 1_500;
/** One address gets half: a provider may call from one for all its customers. */
const ASKED_MAX = 32;

export type Hooks = ReturnType<typeof createHooks>;

/**
 * Finds hooks in Redis, and in Postgres through the control plane where Redis lost them or is away. Only the owner of a
 * hook is cached, because it never changes; the rest is read each time, so that a change holds from the next request on.
 */
export function createHooks({ store, controlPlane, sealer, blockedClients, limits }: HooksOptions) {
  const owners = new LRUCache<string, string>(OWNERS);
  const absent = new LRUCache<string, true>({ max: ABSENT_MAX, ttl: ABSENT_MS });
  const inOneFlight = createSingleFlight<FoundHook | null>();
  const asked = createSemaphore({ capacity: ASKED_MAX });

  function opened(hook: ProjectedHook, accountId: string, isRedisAway: boolean): FoundHook | null {
    const secret = sealer.open(hook.secret, hook.id);
    return secret === null ? null : { ...hook, secret, accountId, isRedisAway };
  }

  async function inRedis(id: string): Promise<FoundHook | null> {
    const accountId = owners.get(id) ?? (await readHookOwner(store, id));
    if (!accountId) return null;
    owners.set(id, accountId);
    const hook = await readHook(store, accountId, id);
    return hook && opened(hook, accountId, false);
  }

  /** Null when it took too long, an error when it failed: Redis is away in both cases. */
  const askRedis = async (id: string): Promise<{ readonly hook: FoundHook | null } | null> =>
    within(
      limits.redisMs,
      inRedis(id).then(
        (hook) => ({ hook }),
        () => null,
      ),
    );

  async function askControlPlane(
    id: string,
    address: string,
    isRedisAway: boolean,
  ): Promise<FoundHook | null> {
    const blockedSeconds = blockedClients.secondsLeft(address);
    if (blockedSeconds > 0) throw tooManyRequests(blockedSeconds);
    const asking = inTurn(asked, () => controlPlane.findHook(id), {
      owners: [address],
      signal: undefined,
      refusal: () => unavailable('hook: too many concurrent look-ups of unknown hooks'),
    });
    const answer = await within(
      limits.controlPlaneMs,
      asking.then((reply) => ({ reply })),
    );
    if (!answer) throw unavailable('hook: the control plane took too long');
    const { reply } = answer;
    if (!reply) {
      absent.set(id, true);
      return null;
    }
    // The check brings the account back too, in the time it has: without it `on_error` answers.
    const bring = () => controlPlane.project(reply.accountId).catch(() => false);
    if (!isRedisAway) await within(limits.projectMs, bring());
    return opened(readHookText(reply.hook), reply.accountId, isRedisAway);
  }

  return {
    /** Null for a hook that does not exist. `address` is where the request came from. */
    find(id: string, address: string): Promise<FoundHook | null> {
      if (!HOOK_ID.test(id) || absent.has(id)) return Promise.resolve(null);
      return inOneFlight(id, async () => {
        const found = await askRedis(id);
        if (found?.hook) return found.hook;
        return askControlPlane(id, address, found === null).catch((error) => {
          throw unavailable('hook', error);
        });
      });
    },
  };
}

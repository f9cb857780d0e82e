import { randomFillSync } from 'node:crypto';
import { createApiKey, hashApiKey } from '@verdict/domain/api-key.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createSealer } from '@verdict/domain/sealed-text.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { hooksKey } from '@verdict/redis-store/keys.js';
import { projectedHookText, writeHookOwner } from '@verdict/redis-store/projected-hook.js';
import { createBlockedClients } from '@verdict/shares/blocked-clients.js';
import t from 'tap';
import { createIdentityCache } from '../src/auth/identity-cache.js';
import { createAccountProjector } from '../src/check/account-projector.js';
import type { ControlPlaneClient } from '../src/clients/control-plane-client.js';
import { hookLimits } from '../src/hooks/hook-limits.js';
import { createHooks } from '../src/hooks/hooks.js';
import { createLooks } from '../src/looks/looks.js';

/** Caches of a gateway that hold something of an account: none gives one account what is another's. */
const server = await startRedis();
const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});
const HOME = '198.51.100.7';

/** Two keys that Postgres knows, and one that it does not. */
function identities() {
  const [one, other, stranger] = [1, 2, 3].map(() => createApiKey(randomFillSync)) as [
    string,
    string,
    string,
  ];
  const owners = new Map([one, other].map((key, i) => [hashApiKey(key), `acc_${i}`]));
  const findIdentity = async (hash: string) => {
    const accountId = owners.get(hash);
    return accountId === undefined ? null : { accountId, keyId: `key_of_${accountId}` };
  };
  const controlPlane = { findIdentity } as unknown as ControlPlaneClient;
  return { cache: createIdentityCache(redis, controlPlane, createBlockedClients()), one, other, stranger };
}

t.test('a key is known as its own account, also when two are asked about together', async (t) => {
  const { cache, one, other } = identities();
  const found = await Promise.all([cache.find(one, HOME), cache.find(other, HOME)]);
  t.match(found, [{ accountId: 'acc_0' }, { accountId: 'acc_1' }]);
  t.match([cache.known(one), cache.known(other)], [{ accountId: 'acc_0' }, { accountId: 'acc_1' }]);
});

t.test('a key that does not exist makes no other key unknown', async (t) => {
  const { cache, one, stranger } = identities();
  t.equal(await cache.find(stranger, HOME), null);
  t.match(await cache.find(one, HOME), { accountId: 'acc_0' });
});

t.test('accounts that Redis lost together are brought back each', async (t) => {
  const projected: string[] = [];
  const project = createAccountProjector({
    async project(accountId) {
      projected.push(accountId);
      return true;
    },
  });
  await Promise.all(['acc_0', 'acc_1', 'acc_0'].map(project));
  t.strictSame(projected, ['acc_0', 'acc_1']);
});

t.test('a look that is refused shows the figures of its own account', async (t) => {
  const looks = createLooks({
    perSecond: 1,
    usage: () => Promise.reject(new Error('not asked')),
    datasets: () => Promise.reject(new Error('not asked')),
  });
  looks.noteSeen('key_0', { used: 1, limit: 10, rate: 5 });
  looks.noteSeen('key_1', { used: 2, limit: 20, rate: 5 });
  const refusal = (keyId: string): unknown => {
    try {
      for (let i = 0; i < 1_000; i++) looks.spend(keyId);
      return null;
    } catch (error) {
      return error;
    }
  };
  t.match(refusal('key_0'), { status: 429, extra: { checks_used: 1, checks_limit: 10 } });
  t.match(refusal('key_1'), { status: 429, extra: { checks_used: 2, checks_limit: 20 } });
});

/** Two hooks that Redis knows, and one that does not exist. */
async function hooksOfTwo() {
  const createId = createIdFactory(Date.now, randomFillSync);
  const [one, other, stranger] = [1, 2, 3].map(() => createId('hok')) as [string, string, string];
  const sealer = createSealer(Buffer.alloc(32).toString('base64'), randomFillSync);
  const store = { redis, shards: 1 };
  for (const [i, id] of [one, other].entries()) {
    const terms = { kind: 'generic', keyId: `key_${i}`, refuse: [], onError: 'allow', message: '' } as const;
    const hook = { id, ...terms, secret: sealer.seal('secret', id) };
    await redis.hset(hooksKey(`acc_${i}`, 1), id, projectedHookText(hook));
    await writeHookOwner(store, id, `acc_${i}`);
  }
  const controlPlane = { findHook: async () => null, project: async () => true };
  const blockedClients = createBlockedClients();
  return {
    hooks: createHooks({ store, controlPlane, sealer, blockedClients, limits: hookLimits(60_000) }),
    one,
    other,
    stranger,
  };
}

t.test('a hook belongs to its account, also when two are asked about together', async (t) => {
  const { hooks, one, other } = await hooksOfTwo();
  const both = [
    { id: one, accountId: 'acc_0' },
    { id: other, accountId: 'acc_1' },
  ];
  t.match(await Promise.all([hooks.find(one, HOME), hooks.find(other, HOME)]), both);
  t.match([await hooks.find(one, HOME), await hooks.find(other, HOME)], both, 'and once it is known');
});

t.test('a hook that does not exist makes no other hook unknown', async (t) => {
  const { hooks, one, stranger } = await hooksOfTwo();
  t.equal(await hooks.find(stranger, HOME), null);
  t.match(await hooks.find(one, HOME), { accountId: 'acc_0' });
});

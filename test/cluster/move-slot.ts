import type { TestRedisCluster } from '@verdict/local-stack/start-redis-cluster.js';

/** Moves the slot of a key to another master during use, as a rebalancing does. */
export async function moveSlot({ masters, masterOf }: TestRedisCluster, key: string): Promise<void> {
  const source = await masterOf(key);
  const target = masters.find((one) => one !== source) ?? source;
  const slot = Number(await source.client.cluster('KEYSLOT', key));
  const [from, to] = await Promise.all([source, target].map(({ client }) => client.cluster('MYID')));
  await target.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(from));
  await source.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(to));
  // Two keys at a time, so that for a while some keys are on each side.
  const next = async () => (await source.client.call('CLUSTER', 'GETKEYSINSLOT', slot, 2)) as string[];
  for (let keys = await next(); keys.length > 0; keys = await next())
    await source.client.call('MIGRATE', '127.0.0.1', target.port, '', 0, 5_000, 'KEYS', ...keys);
  for (const { client } of [target, source, ...masters])
    await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', String(to));
}

import { startRedisCluster } from '@verdict/local-stack/start-redis-cluster.js';
import t from 'tap';

// The whole contract, unchanged, with every key on a cluster of three masters and three replicas.
const cluster = await startRedisCluster();
t.teardown(cluster.stop);
process.env.CONTRACT_SETTINGS = JSON.stringify({ REDIS_CLUSTER: cluster.nodes, REDIS_SHARDS: 6 });
await import('../contract/contract.test.js');

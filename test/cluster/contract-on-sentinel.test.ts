import { startRedisSentinel } from '@verdict/local-stack/start-redis-sentinel.js';
import t from 'tap';

// The whole contract, unchanged, with a master and its replica that three Sentinels watch.
const sentinel = await startRedisSentinel();
t.teardown(sentinel.stop);
process.env.CONTRACT_SETTINGS = JSON.stringify({ REDIS_URL: sentinel.url });
await import('../contract/contract.test.js');

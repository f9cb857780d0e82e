import { randomFillSync } from 'node:crypto';
import { decide } from '@verdict/admission/decide.js';
import { judge } from '@verdict/admission/judge.js';
import { createRedisClock } from '@verdict/admission/redis-clock.js';
import { takeStep } from '@verdict/admission/take-step.js';
import { CHECK_PATH } from '@verdict/contracts/api-paths.js';
import { CheckBodySchema, CheckResultSchema } from '@verdict/contracts/check-api.js';
import { SCORE_PATH, SCORING_VERSION } from '@verdict/contracts/scoring-api.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { hashApiKey } from '@verdict/domain/api-key.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { connectForRequests, openRedis } from '@verdict/redis-store/connect.js';
import { readIdentity } from '@verdict/redis-store/identity.js';
import { credentialOfHash } from '@verdict/redis-store/keys.js';
import { insertThenStep } from '@verdict/redis-store/step.js';
import Fastify from 'fastify';
import { Pool } from 'undici';

/**
 * The obvious implementation: per check one look-up of the key, one HTTP call to scoring and one step, one after the
 * other. It shows the value of batching.
 */
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
const redis = connectForRequests({ url: process.env.REDIS_URL }, 'naive');
await openRedis(redis);
const scoring = new Pool(process.env.SCORING_URL, { connections: 64 });
const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError: console.error });
const createId = createIdFactory(Date.now, randomFillSync);
const step = {
  store: { redis, shards: 1 },
  inserts,
  clock: await createRedisClock(redis),
  createBatchId: () => createId('bat'),
  placed: new Set(),
  listed: new Set(),
  script: insertThenStep(inserts.script),
};

app.post(
  CHECK_PATH,
  { schema: { body: CheckBodySchema, response: { 200: CheckResultSchema } } },
  async (request) => {
    const { email, ip = null } = request.body;
    const keyHash = hashApiKey(request.headers['x-api-key']);
    const identity = await readIdentity(redis, keyHash);
    const { address } = parseEmail(email);
    const answer = await scoring.request({
      method: 'POST',
      path: SCORE_PATH,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ v: SCORING_VERSION, checks: [{ email, account_id: identity.accountId }] }),
    });
    const [text] = (await answer.body.text()).split('\n');
    const [verdict] = JSON.parse(text).verdicts;
    const id = createId('log');
    const note = await takeStep(step, {
      shard: 0,
      submissions: [
        {
          caller: { ...identity, credential: credentialOfHash(keyHash) },
          requestId: request.id,
          checks: [{ id, email, canonical: address.canonical, ip, normalIp: ip ?? '', verdict }],
        },
      ],
    });
    const { decision, risk_score, signals, reasons } = judge(decide(verdict));
    const created_at = formatCreatedAt(note.now);
    return { success: true, id, email, ip, decision, risk_score, signals, reasons, created_at };
  },
);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
console.log('ready');
process.once('SIGTERM', async () => {
  await app.close();
  await inserts.close();
  await scoring.close();
  redis.disconnect();
});

import { randomFillSync } from 'node:crypto';
import { CHECK_PATH } from '@verdict/contracts/api-paths.js';
import { CheckBodySchema, CheckResultSchema } from '@verdict/contracts/check-api.js';
import { SCORE_PATH } from '@verdict/contracts/scoring-api.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { hashApiKey } from '@verdict/domain/api-key.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createAdmission } from '@verdict/admission/admission.js';
import { createRedisClock } from '@verdict/admission/redis-clock.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { readIdentity } from '@verdict/redis-store/identity.js';
import { credentialOfHash } from '@verdict/redis-store/keys.js';
import Fastify from 'fastify';
import { Pool } from 'undici';

/**
 * The same job done the obvious way: per check one look-up of the key, one HTTP call to scoring and one step of its own,
 * one after the other. Kept to show what the batching is worth.
 */
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
const redis = connectForRequests({ url: process.env.REDIS_URL }, 'naive');
await redis.connect();
const scoring = new Pool(process.env.SCORING_URL, { connections: 64 });
const steps = connectForRequests({ url: process.env.REDIS_URL }, 'naive-steps');
await steps.connect();
const createId = createIdFactory(Date.now, randomFillSync);
const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError: console.error });
const clock = await createRedisClock(steps);

const admission = createAdmission({
  store: { redis: steps, shards: 1 },
  inserts,
  clock,
  createBatchId: () => createId('bat'),
  project: async () => {},
  batchMax: 1,
  waitingMax: 10_000,
});

app.post(
  CHECK_PATH,
  { schema: { body: CheckBodySchema, response: { 200: CheckResultSchema } } },
  async (request) => {
    const { email, ip = null } = request.body;
    const keyHash = hashApiKey(request.headers['x-api-key']);
    const identity = await readIdentity(redis, keyHash);
    const { address } = parseEmail(email);
    const id = createId('log');
    const caller = { ...identity, credential: credentialOfHash(keyHash) };
    const answer = await scoring.request({
      method: 'POST',
      path: SCORE_PATH,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ v: 2, checks: [{ email, account_id: identity.accountId }] }),
    });
    const { verdicts } = JSON.parse(await answer.body.text());
    const [verdict] = verdicts;
    // A batch id of its own keeps a submission out of everybody else's transaction.
    const { nowMicros } = await admission.take({
      caller,
      requestId: request.id,
      checks: [{ id, email, canonical: address.canonical, ip, normalIp: ip ?? '', verdict }],
      batchId: createId('bat'),
    });
    return {
      success: true,
      id,
      email,
      ip,
      decision: decisionForScore(verdict.risk_score),
      risk_score: verdict.risk_score,
      signals: verdict.signals,
      reasons: verdict.factors.map((factor) => factor.reason),
      created_at: formatCreatedAt(nowMicros),
    };
  },
);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
console.log('ready');
process.once('SIGTERM', async () => {
  await app.close();
  await inserts.close();
  await scoring.close();
  redis.disconnect();
  steps.disconnect();
});

import { randomFillSync } from 'node:crypto';
import { CHECK_PATH } from '@verdict/contracts/api-paths.js';
import { CheckBodySchema, CheckResultSchema } from '@verdict/contracts/check-api.js';
import { SCORE_PATH } from '@verdict/contracts/scoring-api.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { hashApiKey } from '@verdict/domain/api-key.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createCheckLogProducer } from '@verdict/queues/check-log-producer.js';
import { admit } from '@verdict/redis-store/admit.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { readIdentity } from '@verdict/redis-store/identity.js';
import { credentialOfHash } from '@verdict/redis-store/keys.js';
import Fastify from 'fastify';
import { Pool } from 'undici';

/**
 * The same job done the obvious way: per check one look-up of the key, one admission, one HTTP call to scoring and one
 * job on the queue, each by itself and one after the other. Kept to show what the batching is worth.
 */
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
const redis = connectForRequests({ url: process.env.REDIS_URL }, 'naive');
await redis.connect();
const scoring = new Pool(process.env.SCORING_URL, { connections: 64 });
const producer = createCheckLogProducer({ connection: redis, shards: 1, onError: console.error });
const createId = createIdFactory(Date.now, randomFillSync);

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
    const { admissions } = await admit(redis, caller, [
      { logId: id, address: address.canonical, domain: address.domain, ip: ip ?? '' },
    ]);
    const answer = await scoring.request({
      method: 'POST',
      path: SCORE_PATH,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ v: 1, checks: [{ email, account_id: identity.accountId }] }),
    });
    const [, text] = (await answer.body.text()).split('\n');
    const line = JSON.parse(text);
    const createdAt = formatCreatedAt(admissions[0].admittedAtMicros);
    const judged = {
      decision: decisionForScore(line.risk_score),
      risk_score: line.risk_score,
      signals: line.signals,
      reasons: line.factors.map((factor) => factor.reason),
    };
    const factors = line.factors.map(({ code, points }) => ({ code, points }));
    await producer.add([
      {
        id,
        account_id: identity.accountId,
        key_id: identity.keyId,
        email,
        ip,
        request_id: request.id,
        created_at: createdAt,
        verdict: { ...judged, factors, datasets: '' },
      },
    ]);
    return { ...judged, success: true, id, email, ip, created_at: createdAt };
  },
);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
console.log('ready');
process.once('SIGTERM', async () => {
  await app.close();
  await producer.close();
  await scoring.close();
  redis.disconnect();
});

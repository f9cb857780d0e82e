import { Verdict, VerdictError } from '@verdict/sdk';
import Fastify from 'fastify';

// VERDICT_URL and VERDICT_API_KEY come from the environment.
const verdict = new Verdict({ fallback: 'challenge' });

// One proxy of yours in front: request.ip is what that proxy saw, not what a visitor wrote into X-Forwarded-For.
export const app = Fastify({ trustProxy: (_address, hop) => hop < 1 });

app.post<{ Body?: { email?: string } }>('/sign-up', async (request, reply) => {
  try {
    const outcome = await verdict.check({ email: request.body?.email ?? '', ip: request.ip });
    if (outcome.fallback)
      request.log.warn(outcome.fallback, outcome.fallback.quotaUsedUp ? 'checks are used up' : 'no verdict');
    if (outcome.decision === 'block') return reply.code(403).send({ message: 'Please use another address.' });
    return { next: outcome.decision === 'allow' ? 'welcome' : 'confirm-your-address' };
  } catch (error) {
    if (!(error instanceof VerdictError) || error.code !== 'invalid_request') throw error;
    return reply.code(400).send({ message: error.message });
  }
});

import { Verdict, VerdictError } from '@verdict/sdk';
import Fastify from 'fastify';

// VERDICT_URL and VERDICT_API_KEY come from the environment.
const verdict = new Verdict({ fallback: 'challenge' });

export const app = Fastify();

app.post<{ Body?: { email?: string } }>('/sign-up', async (request, reply) => {
  try {
    const outcome = await verdict.check({ email: request.body?.email ?? '', ip: request.ip });
    if (outcome.fallback) request.log.warn(outcome.fallback, 'the validator could not be asked');
    if (outcome.decision === 'block') return reply.code(403).send({ message: 'Please use another address.' });
    return { next: outcome.decision === 'allow' ? 'welcome' : 'confirm-your-address' };
  } catch (error) {
    if (!(error instanceof VerdictError) || error.code !== 'invalid_request') throw error;
    return reply.code(400).send({ message: error.message });
  }
});

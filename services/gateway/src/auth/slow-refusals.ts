import { normalizeIP } from '@fastify/rate-limit';
import { createTokenBuckets } from '@verdict/shares/token-buckets.js';
import type { FastifyInstance } from 'fastify';

/** A loop of refusals gets four a second on each of its connections. */
export const REFUSAL_PAUSE_MS = 250;
/** More than a person or a wrong setting needs to be noticed. */
const PROMPT = 10;
const ADDRESSES_MAX = 50_000;
const REFUSED: ReadonlySet<number> = new Set([400, 401, 429]);

/**
 * Delays refusals to an address that has had its prompt ones, unless its API key is good. Each costs
 * Redis and the control plane a question, and a loop of them would slow everybody down.
 */
export function slowRefusals(app: FastifyInstance, failuresPerMinute: number): void {
  const prompt = createTokenBuckets({
    burst: PROMPT,
    perSecond: failuresPerMinute / 60,
    ownersMax: ADDRESSES_MAX,
  });
  app.addHook('onSend', (request, { statusCode }, payload, done) => {
    const isRefused = REFUSED.has(statusCode) && !request.credentials?.key;
    const isPrompt = !isRefused || prompt.take(normalizeIP(request.ip));
    if (isPrompt) done(null, payload);
    else setTimeout(done, REFUSAL_PAUSE_MS, null, payload);
  });
}

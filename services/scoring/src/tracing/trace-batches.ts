import { TRACES_HEADER } from '@verdict/contracts/scoring-api.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';
import type { FastifyInstance } from 'fastify';
import { startScoreSteps } from './score-steps.js';

/** Traces the batches that come by plain HTTP. Call it before routes are added. */
export function traceBatches(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    const steps = startScoreSteps(tracing, request.headers[TRACES_HEADER] as string | undefined);
    if (steps.length > 0) {
      reply.raw.once('close', () => {
        for (const step of steps) {
          if (reply.raw.writableFinished && reply.raw.statusCode < 400) step.end();
          else step.fail(`answered ${reply.raw.statusCode}`);
        }
      });
    }
    done();
  });
}

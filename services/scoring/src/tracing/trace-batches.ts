import { TRACES_HEADER } from '@verdict/contracts/scoring-api.js';
import { splitCarried } from '@verdict/telemetry/carried-traces.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';
import type { FastifyInstance } from 'fastify';

/** A step in the trace of each sampled check of a batch; it lasts as long as the batch. Call it before routes are added. */
export function traceBatches(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    const carried = splitCarried(request.headers[TRACES_HEADER] as string | undefined);
    const steps = carried.map((parent) =>
      tracing.start('server', 'score', parent, { 'verdict.sampled_in_batch': carried.length }),
    );
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

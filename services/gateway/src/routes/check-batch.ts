import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import { compressAnswer } from '@verdict/service-kit/compress-answer.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { addressOf, callerOf, credentialsOf } from '../auth/credentials.js';
import type { CountFailure } from '../auth/failed-auth-limit.js';
import { readExpansions } from '../check/check-input.js';
import { readIdempotencyKey } from '../check/idempotency.js';
import { readBatch } from '../check/read-batch.js';
import { runChecks } from '../check/run-checks.js';
import type { Dependencies } from '../dependencies.js';
import type { GatewayApp } from '../gateway-app.js';
import { chargedRoute } from './charged-route.js';
import { reportRun } from './report-run.js';

/** POST /check/batch/: many checks in one request, each with its own log id; all count, or none. */
export function checkBatchRoute(app: GatewayApp, deps: Dependencies, countFailure: CountFailure): void {
  attach(
    app,
    VALIDATION_ROUTES.checkBatch,
    async (request, reply) => {
      if (deps.backlog.overflowing) throw unavailable('queue above its high-water mark');
      const { body, query } = request;
      const caller = callerOf(credentialsOf(request), body.api_key_id);
      const batch = readBatch(body.items);
      const run = await runChecks(deps, {
        caller,
        from: addressOf(request),
        inputs: batch.inputs,
        expand: readExpansions(query.expand),
        requestId: request.id,
        once: readIdempotencyKey(request.headers['idempotency-key'], caller, [body, query]),
      });
      reportRun(deps, reply, run);
      return { success: true, results: batch.toResults(run.results) };
    },
    {
      ...chargedRoute(deps, countFailure),
      onSend: compressAnswer,
    },
  );
}

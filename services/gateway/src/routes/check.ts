import type { CheckResult } from '@verdict/contracts/check-api.js';
import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { addressOf, callerOf, credentialsOf } from '../auth/credentials.js';
import type { CountFailure } from '../auth/failed-auth-limit.js';
import { readCheckInput, readExpansions } from '../check/check-input.js';
import { readIdempotencyKey } from '../check/idempotency.js';
import { runChecks } from '../check/run-checks.js';
import type { Dependencies } from '../dependencies.js';
import type { GatewayApp } from '../gateway-app.js';
import { chargedRoute } from './charged-route.js';
import { reportRun } from './report-run.js';

/** POST /check/: the hot path. */
export function checkRoute(app: GatewayApp, deps: Dependencies, countFailure: CountFailure): void {
  attach(
    app,
    VALIDATION_ROUTES.check,
    async (request, reply) => {
      if (deps.backlog.overflowing) throw unavailable('queue above its high-water mark');
      const { body, query } = request;
      const caller = callerOf(credentialsOf(request), body.api_key_id);
      const run = await runChecks(deps, {
        caller,
        from: addressOf(request),
        inputs: [readCheckInput(body)],
        expand: readExpansions(query.expand),
        requestId: request.id,
        once: readIdempotencyKey(request.headers['idempotency-key'], caller, [body, query]),
      });
      reportRun(deps, reply, run);
      return run.results[0] as CheckResult;
    },
    chargedRoute(deps, countFailure),
  );
}

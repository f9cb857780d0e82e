import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { attachSender } from '@verdict/service-kit/attach.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { sendJson } from '@verdict/service-kit/send-json.js';
import { startStages } from '../answers/stages.js';
import { addressOf, callerOf, credentialsOf } from '../auth/credentials.js';
import type { CountFailure } from '../auth/failed-auth-limit.js';
import { answerText } from '../check/answer-text.js';
import { readCheckInput, readExpansions } from '../check/check-input.js';
import { readIdempotencyKey } from '../check/idempotency.js';
import { runCheck } from '../check/run-check.js';
import type { AnsweredCheck } from '../check/to-answered.js';
import { toResult } from '../check/to-result.js';
import type { Dependencies } from '../dependencies.js';
import type { GatewayApp } from '../gateway-app.js';
import { chargedRoute } from './charged-route.js';
import { reportRun } from './report-run.js';

/** POST /check/: the hot path. */
export function checkRoute(app: GatewayApp, deps: Dependencies, countFailure: CountFailure): void {
  attachSender(
    app,
    VALIDATION_ROUTES.check,
    (request, reply) => {
      if (deps.backlog.overflowing) throw unavailable('queue above its high-water mark');
      const { body, query } = request;
      const stages = startStages(1);
      request.stages = stages;
      const caller = callerOf(credentialsOf(request), body.api_key_id);
      const checks = {
        caller,
        from: addressOf(request),
        inputs: [readCheckInput(body)],
        expand: readExpansions(query.expand),
        requestId: request.id,
        stages,
        once: readIdempotencyKey(request.headers['idempotency-key'], caller, [body, query]),
      };
      runCheck(deps, checks, (error, run) => {
        if (!run) {
          reply.send(error);
          return;
        }
        reportRun(deps, reply, run);
        const [answered] = run.checks as [AnsweredCheck];
        if (checks.expand.size === 0) sendJson(reply, answerText(answered));
        else reply.send(toResult(answered));
      });
    },
    chargedRoute(deps, countFailure),
  );
}

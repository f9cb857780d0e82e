import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import { notFound, unavailable } from '@verdict/service-kit/errors.js';
import { startStages } from '../answers/stages.js';
import { addressOf, credentialsOf } from '../auth/credentials.js';
import { readCheckInput, readExpansions } from '../check/check-input.js';
import { runChecks } from '../check/run-checks.js';
import type { AnsweredCheck } from '../check/to-answered.js';
import { toResult } from '../check/to-result.js';
import type { Dependencies } from '../dependencies.js';
import type { LimitRequests } from '../forward/limit-requests.js';
import type { GatewayApp } from '../gateway-app.js';
import { reportRun } from './report-run.js';

/** POST /try/: a check for a guest of the front page, by the key that the operator sets aside for them. */
export function tryRoute(app: GatewayApp, deps: Dependencies, limitTries: LimitRequests): void {
  const { TRY_API_KEY } = deps.config;
  attach(
    app,
    VALIDATION_ROUTES.try,
    async (request, reply) => {
      if (deps.backlog.overflowing) throw unavailable('queue above its high-water mark');
      const { key } = credentialsOf(request);
      if (!key) throw unavailable('TRY_API_KEY is unknown');
      const stages = startStages(1);
      request.stages = stages;
      const run = await runChecks(deps, {
        caller: key,
        from: addressOf(request),
        inputs: [readCheckInput(request.body)],
        expand: readExpansions(undefined),
        requestId: request.id,
        stages,
        once: null,
      });
      reportRun(deps, reply, run);
      return toResult(run.checks[0] as AnsweredCheck);
    },
    {
      onRequest: async (request, reply) => {
        if (TRY_API_KEY === undefined) throw notFound();
        await limitTries(request, reply);
        request.credentials = { key: await deps.identities.find(TRY_API_KEY, request.ip), token: null };
      },
    },
  );
}

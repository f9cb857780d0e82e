import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { attachSender, type RequestOf } from '@verdict/service-kit/attach.js';
import { compressAnswer } from '@verdict/service-kit/compress-answer.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { sendJson } from '@verdict/service-kit/send-json.js';
import type { FastifyReply } from 'fastify';
import { startStages } from '../answers/stages.js';
import { addressOf, callerOf, credentialsOf } from '../auth/credentials.js';
import type { CountFailure } from '../auth/failed-auth-limit.js';
import { admitBatch } from '../check/admit-batch.js';
import { readExpansions } from '../check/check-input.js';
import { readIdempotencyKey } from '../check/idempotency.js';
import { runChecks } from '../check/run-checks.js';
import type { Dependencies } from '../dependencies.js';
import type { GatewayApp } from '../gateway-app.js';
import { shareBatches, wasteRefused, wasterOf } from './batch-shares.js';
import { chargedRoute } from './charged-route.js';
import { reportRun } from './report-run.js';

/** POST /check/batch/: many checks in one request, each with its own log id; all count, or none. */
export function checkBatchRoute(app: GatewayApp, deps: Dependencies, countFailure: CountFailure): void {
  const charged = chargedRoute(deps, countFailure);
  attachSender(
    app,
    VALIDATION_ROUTES.checkBatch,
    (request, reply) => {
      if (deps.backlog.overflowing) throw unavailable('queue above its high-water mark');
      void answerBatch(deps, request, reply).catch((error: unknown) => reply.send(error));
    },
    {
      onRequest: [charged.onRequest, shareBatches(deps)].flat(),
      errorHandler: async (error, request, reply) => {
        wasteRefused(deps, error, request);
        return charged.errorHandler.call(app, error, request, reply);
      },
      onSend: compressAnswer,
    },
  );
}

async function answerBatch(
  deps: Dependencies,
  request: RequestOf<typeof VALIDATION_ROUTES.checkBatch>,
  reply: FastifyReply,
): Promise<void> {
  const { body, query } = request;
  const stages = startStages(body.items.length);
  request.stages = stages;
  const caller = callerOf(credentialsOf(request), body.api_key_id);
  const from = addressOf(request);
  const expand = readExpansions(query.expand);
  const once = readIdempotencyKey(request.headers['idempotency-key'], caller, [body, query]);
  const waster = wasterOf(request);
  const { batch, seen } = await admitBatch(deps, { caller, from, once, waster }, body.items);
  const { inputs } = batch;
  const checks = { caller, from, inputs, expand, requestId: request.id, stages, once, seen };
  const run = await runChecks(deps, checks);
  const wasted = body.items.length - (run.replayed ? 0 : inputs.length);
  if (wasted > 0) {
    deps.looks.noteSeen(waster, run.account);
    deps.looks.wasteItems(waster, wasted);
  }
  reportRun(deps, reply, run);
  if (expand.size > 0) reply.send({ success: true, results: batch.toResults(run.checks) });
  else sendJson(reply, `{"success":true,"results":[${batch.toText(run.checks)}]}`);
}

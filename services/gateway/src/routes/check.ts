import { CHECK_PATH } from '@verdict/contracts/api-paths.js';
import { CheckBodySchema, CheckQuerySchema, CheckResultSchema } from '@verdict/contracts/check-api.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../auth/credentials.js';
import type { CountFailure } from '../auth/failed-auth-limit.js';
import { knownCredentials, readKeyOrToken } from '../auth/read-credentials.js';
import { readCheckInput, readExpansions } from '../check/check-input.js';
import { readOnceOnly } from '../check/idempotency.js';
import { setLimitHeaders } from '../check/limit-headers.js';
import { lookAtAccount } from '../check/look-at-account.js';
import { runCheck } from '../check/run-check.js';
import type { Dependencies } from '../dependencies.js';
import type { GatewayApp } from '../gateway-app.js';

/** POST /check/: the hot path. Credentials are judged before the body is even read. */
export function checkRoute(app: GatewayApp, deps: Dependencies, countFailure: CountFailure): void {
  app.route({
    method: 'POST',
    url: CHECK_PATH,
    schema: { body: CheckBodySchema, querystring: CheckQuerySchema, response: { 200: CheckResultSchema } },
    onRequest: (request, _reply, done) => {
      const known = knownCredentials(deps.identities, request);
      if (known) {
        request.credentials = known;
        done();
      } else {
        void authenticate(deps, countFailure, request).then(() => done(), done);
      }
    },
    errorHandler: async (error, request) => {
      if (isAboutTheBody(error)) await refuseInactiveKey(deps, request);
      throw error;
    },
    handler: async (request, reply) => {
      if (deps.backlog.overflowing) throw unavailable('queue above its high-water mark');
      const { body, query } = request;
      const caller = callerOf(request.credentials, body.api_key_id);
      const { result, granted } = await runCheck(deps, {
        caller,
        input: readCheckInput(body),
        expand: readExpansions(query.expand),
        requestId: request.id,
        once: readOnceOnly(request.headers['idempotency-key'], caller.accountId, [body, query]),
      });
      if (granted) {
        setLimitHeaders(reply, granted.account, granted.used);
        deps.counters.checks[result.decision]++;
      } else {
        reply.header('idempotent-replayed', 'true');
      }
      return result;
    },
  });
}

async function authenticate(
  deps: Dependencies,
  countFailure: CountFailure,
  request: FastifyRequest,
): Promise<void> {
  try {
    request.credentials = await readKeyOrToken(deps, request);
  } catch (error) {
    throw await countFailure(request, error);
  }
}

function isAboutTheBody(error: { statusCode?: number; status?: number }): boolean {
  const status = error.status ?? error.statusCode ?? 500;
  return status === 400 || status === 413 || status === 415;
}

/** Whether a key is active is decided by the step; a body that never got there must not hide a 403. */
async function refuseInactiveKey(deps: Dependencies, request: FastifyRequest): Promise<void> {
  const { key } = request.credentials;
  if (!key) return;
  await lookAtAccount(deps, key).catch((error) => {
    if (error instanceof AppError && error.status === 403) throw error;
  });
}

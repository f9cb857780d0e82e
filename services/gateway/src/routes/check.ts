import { CHECK_PATH } from '@verdict/contracts/api-paths.js';
import {
  CHECK_BODY_BYTES_MAX,
  CheckBodySchema,
  CheckQuerySchema,
  CheckResultSchema,
} from '@verdict/contracts/check-api.js';
import { admit } from '@verdict/redis-store/admit.js';
import { keyInactive } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../auth/credentials.js';
import { knownCredentials, readKeyOrToken } from '../auth/read-credentials.js';
import { readCheckInput, readExpansions } from '../check/check-input.js';
import { setLimitHeaders } from '../check/limit-headers.js';
import { runCheck } from '../check/run-check.js';
import { toResult } from '../check/to-result.js';
import type { Dependencies } from '../dependencies.js';
import type { GatewayApp } from '../gateway-app.js';

/** POST /check/: the hot path. Credentials are judged before the body is even read. */
export function checkRoute(app: GatewayApp, deps: Dependencies): void {
  app.route({
    method: 'POST',
    url: CHECK_PATH,
    bodyLimit: CHECK_BODY_BYTES_MAX,
    schema: { body: CheckBodySchema, querystring: CheckQuerySchema, response: { 200: CheckResultSchema } },
    onRequest: (request, _reply, done) => {
      const known = knownCredentials(deps.identities, request);
      if (known) {
        request.credentials = known;
        done();
      } else {
        void authenticate(deps, request).then(() => done(), done);
      }
    },
    errorHandler: async (error, request) => {
      if (isAboutTheBody(error)) await refuseInactiveKey(deps, request);
      throw error;
    },
    handler: async (request, reply) => {
      const caller = callerOf(request.credentials, request.body.api_key_id);
      const input = readCheckInput(request.body);
      const expand = readExpansions(request.query.expand);
      const { check, granted } = await runCheck(deps, caller, input, request.id);
      setLimitHeaders(reply, granted.account, granted.admission.used);
      deps.counters.checks[check.judgement.decision]++;
      return toResult(check, expand);
    },
  });
}

async function authenticate(deps: Dependencies, request: FastifyRequest): Promise<void> {
  try {
    request.credentials = await readKeyOrToken(deps.identities, request);
  } catch (error) {
    throw await deps.countFailure(request, error);
  }
}

function isAboutTheBody(error: { statusCode?: number; status?: number }): boolean {
  const status = error.status ?? error.statusCode ?? 500;
  return status === 400 || status === 413 || status === 415;
}

/** Whether a key is active is decided inside admission; a body that never got there must not hide a 403. */
async function refuseInactiveKey({ redis }: Dependencies, request: FastifyRequest): Promise<void> {
  const { key } = request.credentials;
  if (!key) return;
  const reply = await admit(redis, key, []).catch(() => null);
  if (reply?.state === 'forbidden') throw keyInactive({ accountId: key.accountId, keyId: key.keyId });
}

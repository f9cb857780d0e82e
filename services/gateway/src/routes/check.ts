import { CHECK_PATH } from '@verdict/contracts/api-paths.js';
import { CheckBodySchema, CheckQuerySchema, CheckResultSchema } from '@verdict/contracts/check-api.js';
import { admit, type Caller } from '@verdict/redis-store/admit.js';
import { keyInactive, unavailable } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../auth/credentials.js';
import { knownCredentials, readKeyOrToken } from '../auth/read-credentials.js';
import { readCheckInput, readExpansions } from '../check/check-input.js';
import { type IdempotentStart, startIdempotent } from '../check/idempotency.js';
import { setLimitHeaders } from '../check/limit-headers.js';
import { runCheck } from '../check/run-check.js';
import type { Dependencies } from '../dependencies.js';
import type { GatewayApp } from '../gateway-app.js';

/** POST /check/: the hot path. Credentials are judged before the body is even read. */
export function checkRoute(app: GatewayApp, deps: Dependencies): void {
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
        void authenticate(deps, request).then(() => done(), done);
      }
    },
    errorHandler: async (error, request) => {
      if (isAboutTheBody(error)) await refuseInactiveKey(deps, request);
      throw error;
    },
    handler: async (request, reply) => {
      if (deps.backlog.overflowing) throw unavailable('queue above its high-water mark');
      const caller = callerOf(request.credentials, request.body.api_key_id);
      const input = readCheckInput(request.body);
      const expand = readExpansions(request.query.expand);
      const start = await begin(deps, request, caller);
      if ('replay' in start)
        return reply
          .header('idempotent-replayed', 'true')
          .type(JSON_TYPE)
          .send(start.replay as never);
      const { result, granted } = await runCheck(deps, {
        caller,
        input,
        expand,
        requestId: request.id,
        guard: start.guard,
      });
      setLimitHeaders(reply, granted.account, granted.admission.used);
      deps.counters.checks[result.decision]++;
      return result;
    },
  });
}

const JSON_TYPE = 'application/json; charset=utf-8';
const UNGUARDED = { guard: null } as const;

/** Only a request with an Idempotency-Key pays for one. */
function begin(
  deps: Dependencies,
  request: FastifyRequest,
  caller: Caller,
): Promise<IdempotentStart> | typeof UNGUARDED {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return UNGUARDED;
  return startIdempotent(deps.redis, {
    accountId: caller.accountId,
    key: String(key),
    body: JSON.stringify([request.body, request.query]),
    logId: deps.createLogId(),
  });
}

async function authenticate(deps: Dependencies, request: FastifyRequest): Promise<void> {
  try {
    request.credentials = await readKeyOrToken(deps, request);
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

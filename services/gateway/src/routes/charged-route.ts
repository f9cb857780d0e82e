import { AppError } from '@verdict/service-kit/app-error.js';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { callerByKeyOrToken } from '../auth/caller-by-key-or-token.js';
import { addressOf } from '../auth/credentials.js';
import type { CountFailure } from '../auth/failed-auth-limit.js';
import { knownCredentials } from '../auth/read-credentials.js';
import { limitHeaders } from '../check/limit-headers.js';
import { lookAtAccount } from '../check/look-at-account.js';
import type { Dependencies } from '../dependencies.js';

/** The common part of routes that count checks: credentials are verified before the body is read. */
export function chargedRoute(
  deps: Dependencies,
  countFailure: CountFailure,
): Required<Pick<RouteShorthandOptions, 'onRequest' | 'errorHandler'>> {
  return {
    onRequest: (request, _reply, done) => {
      const known = knownCredentials(deps.identities, request);
      if (known) {
        request.credentials = known;
        done();
      } else {
        void callerByKeyOrToken(deps, countFailure, request).then((credentials) => {
          request.credentials = credentials;
          done();
        }, done);
      }
    },
    errorHandler: async (error, request, reply) => {
      if (isAboutTheBody(error)) {
        const token = request.credentials?.token;
        if (token) deps.looks.countFailure(token.sid);
        await refuseInactiveKey(deps, request, reply);
      }
      throw error;
    },
  };
}

function isAboutTheBody(error: { statusCode?: number; status?: number }): boolean {
  const status = error.status ?? error.statusCode ?? 500;
  return status === 400 || status === 413 || status === 415;
}

/** Whether a key is active is decided by the step; a body that never got there must not hide a 403, nor how much is left. */
async function refuseInactiveKey(
  deps: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const key = request.credentials?.key;
  if (!key) return;
  try {
    const account = await lookAtAccount(deps, { caller: key, from: addressOf(request), scope: 'check' });
    reply.headers(limitHeaders(account, account.used));
  } catch (error) {
    if (error instanceof AppError && error.status === 403) throw error;
  }
}

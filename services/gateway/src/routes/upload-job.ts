import { JOBS_PATH, UPLOAD_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { bodyTooLarge } from '@verdict/service-kit/errors.js';
import type { FastifyInstance } from 'fastify';
import { callerByKeyOrToken } from '../auth/caller-by-key-or-token.js';
import { credentialsOf } from '../auth/credentials.js';
import type { CountFailure } from '../auth/failed-auth-limit.js';
import type { Dependencies } from '../dependencies.js';
import type { LimitRequests } from '../forward/limit-requests.js';

interface Limits {
  readonly countFailure: CountFailure;
  readonly limitRequests: LimitRequests;
}

/** POST /jobs/: authenticates before the first byte is read, then streams the file to the control plane. */
export async function uploadJobRoute(
  app: FastifyInstance,
  deps: Dependencies,
  { countFailure, limitRequests }: Limits,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.route({
      method: 'POST',
      url: JOBS_PATH,
      onRequest: async (request, reply) => {
        await limitRequests(request, reply);
        request.credentials = await callerByKeyOrToken(deps, countFailure, request);
        // A form is a little more than its file.
        if (Number(request.headers['content-length'] ?? 0) > UPLOAD_BYTES_MAX + FORM_BYTES)
          throw bodyTooLarge(UPLOAD_BYTES_MAX);
      },
      handler: async (request, reply) => {
        const { key, token } = credentialsOf(request);
        return deps.forwarder.forwardUpload(request, reply, key?.accountId ?? token?.acc ?? '');
      },
    });
  });
}

const FORM_BYTES = 64 * 1024;

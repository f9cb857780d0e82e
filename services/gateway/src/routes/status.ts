import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { callerByKey } from '../auth/caller-by-key.js';
import { addressOf } from '../auth/credentials.js';
import type { CountFailure } from '../auth/failed-auth-limit.js';
import { keyQuotaExceeded, quotaExceeded } from '../check/limit-errors.js';
import { limitHeaders } from '../check/limit-headers.js';
import { lookAtAccount } from '../check/look-at-account.js';
import type { Dependencies } from '../dependencies.js';
import type { GatewayApp } from '../gateway-app.js';

/** GET or HEAD /status/: is the API reachable and this key good? Says 429 when the month is used up, and never counts. */
export function statusRoute(app: GatewayApp, deps: Dependencies, countFailure: CountFailure): void {
  attach(
    app,
    VALIDATION_ROUTES.status,
    async (request, reply) => {
      const caller = await callerByKey(deps.identities, countFailure, request);
      deps.looks.spend(caller.keyId);
      const account = await lookAtAccount(deps, { caller, from: addressOf(request) });
      deps.looks.noteSeen(caller.keyId, account);
      if (account.used >= account.limit && !account.isTest) throw quotaExceeded(account, account.used);
      const { key } = account;
      if (key && key.used >= key.limit) throw keyQuotaExceeded(account, key.used);
      const datasets = await deps.looks.datasets().catch((error) => {
        throw unavailable('scoring', error);
      });
      reply.headers(limitHeaders(account, account.used));
      return { success: true, status: 'ok' as const, datasets };
    },
    { alsoHead: true },
  );
}

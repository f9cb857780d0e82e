import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { callerByKey } from '../auth/caller-by-key.js';
import { addressOf } from '../auth/credentials.js';
import type { CountFailure } from '../auth/failed-auth-limit.js';
import { limitHeaders } from '../check/limit-headers.js';
import { lookAtAccount } from '../check/look-at-account.js';
import { quotaMonth } from '../check/quota-month.js';
import type { Dependencies } from '../dependencies.js';
import type { GatewayApp } from '../gateway-app.js';

/** GET /usage/: the running month. Answers also when the month is used up, and never counts. */
export function usageRoute(app: GatewayApp, deps: Dependencies, countFailure: CountFailure): void {
  attach(app, VALIDATION_ROUTES.usage, async (request, reply) => {
    const caller = await callerByKey(deps.identities, countFailure, request);
    deps.looks.spend(caller.keyId);
    const account = await lookAtAccount(deps, { caller, from: addressOf(request), scope: 'usage' });
    deps.looks.noteSeen(caller.keyId, account);
    const { key } = account;
    const { month, start, end } = quotaMonth(account.nowMicros);
    const breakdown = await deps.looks.usage(caller.accountId, month).catch((error) => {
      throw unavailable('usage', error);
    });
    reply.headers(limitHeaders(account, account.used));
    return {
      success: true,
      plan: account.plan,
      period: { start: start.toISOString(), end: end.toISOString() },
      checks_used: account.used,
      checks_limit: account.limit,
      checks_remaining: Math.max(0, account.limit - account.used),
      ...breakdown,
      resets_at: end.toISOString(),
      ...(key && {
        key: {
          checks_used: key.used,
          checks_limit: key.limit,
          checks_remaining: Math.max(0, key.limit - key.used),
        },
      }),
    };
  });
}

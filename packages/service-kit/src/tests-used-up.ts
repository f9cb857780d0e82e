import { UPGRADE_URL } from '@verdict/contracts/api-paths.js';
import { AppError } from './app-error.js';

/** Test keys and tries give real verdicts, so there is an end to what they give in a day. */
export const testsUsedUp = (used: number, limit: number, retryAfterSeconds: number): AppError =>
  new AppError(
    429,
    'test_limit',
    `Your account has used its ${limit} test checks and tries of today (UTC). Use a live key, or wait until tomorrow.`,
    {
      retryAfterSeconds,
      extra: { checks_used: used, checks_limit: limit, upgrade_url: UPGRADE_URL },
    },
  );

import type { AccountView } from '@verdict/admission/submission.js';
import { UPGRADE_URL } from '@verdict/contracts/api-paths.js';
import { dayOf } from '@verdict/domain/month.js';
import { AppError, type ErrorOptions } from '@verdict/service-kit/app-error.js';
import { limitHeaders } from './limit-headers.js';
import { quotaMonth, secondsUntilReset } from './quota-month.js';

interface Usage {
  readonly used: number;
  readonly limit: number;
}

/** Every 429 of a check carries these fields; `checks_used < checks_limit` tells a rate limit from a used-up month. */
const limitReached = (
  code: string,
  sentence: string,
  { used, limit }: Usage,
  options: ErrorOptions,
): AppError => {
  const extra = { checks_used: used, checks_limit: limit, upgrade_url: UPGRADE_URL };
  return new AppError(429, code, sentence, { ...options, extra });
};

/** An upgrade takes effect immediately, so a client that obeys returns within the hour. */
const QUOTA_RETRY_SECONDS_MAX = 3_600;

function monthUsedUp(
  [code, whose, larger]: readonly [string, string, string],
  usage: Usage,
  account: AccountView,
  accountUsed: number,
): AppError {
  const day = dayOf(quotaMonth(account.nowMicros).end);
  const sentence = `Monthly usage limit${whose} exceeded. It resets on ${day} at 00:00 UTC, or immediately with a larger ${larger}.`;
  return limitReached(code, sentence, usage, {
    retryAfterSeconds: Math.min(secondsUntilReset(account.nowMicros), QUOTA_RETRY_SECONDS_MAX),
    headers: limitHeaders(account, accountUsed),
  });
}

export const quotaExceeded = (account: AccountView, used: number): AppError =>
  monthUsedUp(['quota_exceeded', '', 'plan'], { used, limit: account.limit }, account, used);

/** The month of the key is over before that of its account. */
export function keyQuotaExceeded(account: AccountView, used: number): AppError {
  const usage = { used, limit: account.key?.limit ?? used };
  return monthUsedUp(['key_quota_exceeded', ' of this API key', 'quota'], usage, account, account.used);
}

type Headers = Readonly<Record<string, number>>;

export const rateLimited = (usage: Usage, retryAfterSeconds: number, headers: Headers = {}): AppError =>
  limitReached('rate_limited', 'Too many requests in a short time. Slow down and try again.', usage, {
    retryAfterSeconds,
    headers,
  });

/** Refuses more idempotency records than the plan has room for, before Redis is full. */
export const rememberedTooMany = (usage: Usage, retryAfterSeconds: number, headers: Headers): AppError =>
  limitReached(
    'idempotency_limit',
    'Too many requests with an Idempotency-Key today. Send this one without it, or wait until tomorrow (UTC).',
    usage,
    { retryAfterSeconds, headers },
  );

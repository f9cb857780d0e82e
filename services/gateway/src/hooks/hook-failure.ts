import type { HookOutcome } from '@verdict/contracts/hook-kinds.js';
import { AppError } from '@verdict/service-kit/app-error.js';

/** Why there is no verdict, from the refusal of a check. */
export function hookFailure(error: unknown): HookOutcome {
  if (!(error instanceof AppError)) return 'unavailable';
  if (error.status === 400) return 'malformed';
  if (error.status === 401 || error.status === 403) return 'key_unusable';
  if (error.status !== 429) return 'unavailable';
  return QUOTAS.has(error.code) ? 'quota_exceeded' : 'rate_limited';
}

const QUOTAS = new Set(['quota_exceeded', 'key_quota_exceeded', 'test_limit', 'idempotency_limit']);

import type { CheckLogJob, DecidedVerdict, LoggedCheck } from '@verdict/contracts/check-log-job.js';
import { ERASED, redactAddress } from './redact-address.js';

/**
 * A queued job without one person's address, or null if it has none. Checks share verdicts, so this person's checks
 * get a copy that quotes nothing.
 */
export function redactJob(payload: unknown, spellings: readonly string[]): unknown {
  const redacted = redactAddress(payload, spellings);
  const { verdicts, groups } = (redacted ?? {}) as Partial<CheckLogJob>;
  if (!Array.isArray(verdicts) || !Array.isArray(groups)) return redacted;
  const own = [...verdicts];
  const redactCheck = (check: LoggedCheck): LoggedCheck => {
    const verdict = verdicts[check.verdict];
    if (check.email !== ERASED || !verdict) return check;
    return { ...check, verdict: own.push(withoutQuotes(verdict)) - 1 };
  };
  const kept = groups.map((group) => ({ ...group, checks: group.checks.map(redactCheck) }));
  return { ...(redacted as CheckLogJob), verdicts: own, groups: kept };
}

const withoutQuotes = (verdict: DecidedVerdict): DecidedVerdict => ({
  ...verdict,
  extra: { ...verdict.extra, suggestion: null, mail: '' },
  factors: verdict.factors.map(({ code, points }) => ({ code, points, reason: '' })),
});

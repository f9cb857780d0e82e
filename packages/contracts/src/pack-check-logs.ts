import { CHECK_LOG_VERSION, type CheckLog, type CheckLogJob, type LoggedVerdict } from './check-log-job.js';

/** Checks as one job carries them. Checks share a verdict when they hold the same object. */
export function packCheckLogs(checks: readonly CheckLog[]): CheckLogJob {
  const verdicts: LoggedVerdict[] = [];
  const positions = new Map<LoggedVerdict, number>();
  const packed = checks.map((check) => {
    let position = positions.get(check.verdict);
    if (position === undefined) {
      position = verdicts.push(check.verdict) - 1;
      positions.set(check.verdict, position);
    }
    return { ...check, verdict: position };
  });
  return { v: CHECK_LOG_VERSION, verdicts, checks: packed };
}

/**
 * The records of a job with their verdicts in place, or null when it is of another version. It comes from another
 * process: a record need not be a check until a schema says so, and one whose verdict is missing is none.
 */
export function unpackCheckLogs(data: unknown): unknown[] | null {
  const { v, verdicts, checks } = (data ?? {}) as { v?: unknown; verdicts?: unknown; checks?: unknown };
  if (v !== CHECK_LOG_VERSION || !Array.isArray(verdicts) || !Array.isArray(checks)) return null;
  return checks.map((record: unknown) => {
    if (typeof record !== 'object' || record === null) return record;
    const { verdict } = record as { verdict?: unknown };
    return { ...record, verdict: typeof verdict === 'number' ? verdicts[verdict] : undefined };
  });
}

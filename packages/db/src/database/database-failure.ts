import { NotOneLine } from '../checks/text-lines.js';

/**
 * A failure of Postgres as the caller must react to it: `data` will fail again however often it is tried, everything
 * else (connections, deadlocks, a full disk) passes with time.
 */
export type DatabaseFailure = 'data' | 'transient';

export function classifyFailure(error: unknown): DatabaseFailure {
  if (error instanceof NotOneLine) return 'data';
  // 22: data exception; 23: integrity violation. A conflict on the primary key never gets here: the statement skips it.
  return /^2[23]/.test(sqlStateOf(error)) ? 'data' : 'transient';
}

/** A row that breaks a check, or that no partition takes: Postgres tells the two apart only in words of its language. */
export const CHECK_VIOLATION = '23514';
export const UNIQUE_VIOLATION = '23505';

/** The five characters of SQLSTATE, or '' when the server never answered. */
export function sqlStateOf(error: unknown): string {
  // Prisma wraps a raw query's error: the adapter's own view of it is under `meta.driverAdapterError.cause`.
  const meta = (error as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } } | null)
    ?.meta;
  const code = meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : '';
}

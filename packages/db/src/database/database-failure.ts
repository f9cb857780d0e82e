import { NotOneLine } from '../checks/text-lines.js';

/**
 * The kind of a Postgres failure, as the caller must react to it: `data` fails again on every try, `no_partition`
 * needs a partition, everything else (connections, deadlocks, a full disk) passes with time.
 */
export type DatabaseFailure = 'data' | 'no_partition' | 'transient';

export function classifyFailure(error: unknown): DatabaseFailure {
  const { sqlState, message } = details(error);
  if (error instanceof NotOneLine) return 'data';
  if (message.includes('no partition of relation')) return 'no_partition';
  // 22: data exception; 23: integrity violation. A conflict on the primary key never gets here: the statement skips it.
  return /^2[23]/.test(sqlState) ? 'data' : 'transient';
}

/** The five characters of SQLSTATE, or '' when the server never answered. */
export const sqlStateOf = (error: unknown): string => details(error).sqlState;

interface Cause {
  readonly originalCode?: unknown;
  readonly originalMessage?: unknown;
  readonly kind?: unknown;
}

/** Prisma wraps the error of a raw query: the adapter's view is in `meta.driverAdapterError.cause`. */
function details(error: unknown): { sqlState: string; message: string } {
  const meta = (error as { meta?: { driverAdapterError?: { cause?: Cause } } } | null)?.meta;
  const cause = meta?.driverAdapterError?.cause;
  const text = error instanceof Error ? error.message : String(error);
  return {
    sqlState: typeof cause?.originalCode === 'string' ? cause.originalCode : '',
    message: typeof cause?.originalMessage === 'string' ? cause.originalMessage : text,
  };
}

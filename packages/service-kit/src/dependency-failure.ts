/** System and Postgres codes, and Prisma's, that mean "not now" rather than "not like this". */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'NR_CLOSED',
  // Postgres: too many connections, shutting down, starting up, statement timeout, read-only
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '25006',
  // Prisma: unreachable, timed out, closed the connection, no connection in the pool, transaction could not start
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
]);

const NAMES = new Set(['MaxRetriesPerRequestError', 'AbortError']);

/** ioredis and pg say some of it in words only. */
const SENTENCES = [
  'Command timed out',
  'Connection is closed',
  'Connection terminated',
  "Stream isn't writeable",
  'timeout exceeded when trying to connect',
  'LOADING ',
  'MISCONF ',
  'READONLY ',
];

/** True when a store was away, not when we asked it something wrong. Looks through wrapped causes. */
export function isDependencyFailure(thrown: unknown, depth = 0): boolean {
  if (!(thrown instanceof Error) || depth > 5) return false;
  const { code, cause, meta } = thrown as { code?: unknown; cause?: unknown; meta?: Record<string, unknown> };
  if (typeof code === 'string' && CODES.has(code)) return true;
  if (NAMES.has(thrown.name) || SENTENCES.some((text) => thrown.message.includes(text))) return true;
  if (thrown instanceof AggregateError && thrown.errors.some((each) => isDependencyFailure(each, depth + 1)))
    return true;
  return isDependencyFailure(cause, depth + 1) || isDependencyFailure(meta?.driverAdapterError, depth + 1);
}

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

/** ioredis and pg express some failures only as text. */
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

/** The name in Prisma's driver adapters, inside an error whose own code says only that a raw query failed. */
const KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);

const DEPTH_MAX = 5;

/** True when a store was away, not when we asked it something wrong. Looks through wrapped causes. */
export function isDependencyFailure(thrown: unknown, depth = 0): boolean {
  if (typeof thrown !== 'object' || thrown === null || depth > DEPTH_MAX) return false;
  const { name, message, code, originalCode, kind, cause, meta, errors } = thrown as Failure;
  if (CODES.has(code ?? '') || CODES.has(originalCode ?? '') || KINDS.has(kind ?? '')) return true;
  if (NAMES.has(name ?? '')) return true;
  if (typeof message === 'string' && SENTENCES.some((text) => message.includes(text))) return true;
  const inner = [cause, meta?.driverAdapterError, ...(Array.isArray(errors) ? errors : [])];
  return inner.some((each) => isDependencyFailure(each, depth + 1));
}

interface Failure {
  readonly name?: string;
  readonly message?: unknown;
  readonly code?: string;
  readonly originalCode?: string;
  readonly kind?: string;
  readonly cause?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
  readonly errors?: unknown;
}

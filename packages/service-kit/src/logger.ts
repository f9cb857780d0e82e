import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output, with keys, tokens, passwords and addresses redacted. Written synchronously, because
 * pino's default destination retries for ever when the reader of the log is gone and keeps the service from stopping.
 */
export function createLogger(service: string, level: string): Logger {
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: plainError },
      redact: {
        paths: SECRET_FIELDS.flatMap(everyDepth),
        censor: '[redacted]',
      },
    },
    pino.destination({ fd: STDOUT, sync: true }),
  );
}

const STDOUT = 1;

const SECRET_FIELDS = [
  'api_key',
  'apiKey',
  'authorization',
  'cookie',
  'email',
  'ip',
  'password',
  'refresh',
  'secret',
  'token',
  '["x-api-key"]',
];

function everyDepth(field: string): string[] {
  const step = field.startsWith('[') ? field : `.${field}`;
  return [field, `*${step}`, `*.*${step}`];
}

/** Not pino's own: it copies every field, and an error of ioredis carries the whole command with keys and addresses. */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return { type: error.name, message: error.message, code, stack: error.stack };
}

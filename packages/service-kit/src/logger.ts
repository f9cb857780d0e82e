import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** JSON lines on standard output. Keys, tokens, passwords and addresses are cut out even if somebody logs them. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_FIELDS.flatMap(everyDepth),
      censor: '[redacted]',
    },
  });
}

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

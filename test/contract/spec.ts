/** The tables of the public interface specification, as data. The tests walk them; nothing here is computed. */

export const BASE_PATH = '/api/v1/';

type FieldType =
  | 'true'
  | 'string'
  | 'string or null'
  | 'number'
  | 'object'
  | 'array of strings'
  | 'boolean'
  | 'integer'
  | 'date';

export const CHECK_RESULT: Record<string, FieldType> = {
  success: 'true',
  id: 'string',
  email: 'string',
  ip: 'string or null',
  decision: 'string',
  risk_score: 'number',
  signals: 'object',
  reasons: 'array of strings',
  created_at: 'string',
};

export const SIGNALS: Record<string, FieldType> = {
  disposable_email: 'boolean',
  mx_valid: 'boolean',
  free_provider: 'boolean',
};

export const STATUS_RESULT: Record<string, FieldType> = {
  success: 'true',
  status: 'string',
  datasets: 'object',
};

export const DATASETS: Record<string, Record<string, FieldType>> = {
  disposable_domains: { count: 'integer', version: 'date' },
  free_providers: { version: 'date' },
  role_prefixes: { version: 'date' },
};

export const BANDS: readonly { decision: string; from: number; to: number }[] = [
  { decision: 'allow', from: 0, to: 29 },
  { decision: 'challenge', from: 30, to: 54 },
  { decision: 'review', from: 55, to: 79 },
  { decision: 'block', from: 80, to: 100 },
];

export const LIMIT_BODY: Record<string, FieldType> = {
  error: 'string',
  checks_used: 'number',
  checks_limit: 'number',
  upgrade_url: 'string',
};
export const UPGRADE_URL = '/api/v1/billing/subscription/';

export const LOG_ID_PREFIX = 'log_';
export const CREATED_AT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}[+-]\d{2}:\d{2}$/;
export const KEYS_PER_ACCOUNT_MAX = 5;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The fault of a value, or null. */
export function mismatch(value: unknown, type: FieldType): string | null {
  const fits: Record<FieldType, (value: unknown) => boolean> = {
    true: (it) => it === true,
    string: (it) => typeof it === 'string',
    'string or null': (it) => it === null || typeof it === 'string',
    number: (it) => typeof it === 'number',
    integer: (it) => Number.isInteger(it),
    object: (it) => typeof it === 'object' && it !== null && !Array.isArray(it),
    'array of strings': (it) => Array.isArray(it) && it.every((one) => typeof one === 'string'),
    boolean: (it) => typeof it === 'boolean',
    date: (it) => typeof it === 'string' && DATE.test(it),
  };
  return fits[type](value) ? null : `${JSON.stringify(value)} is not ${type}`;
}

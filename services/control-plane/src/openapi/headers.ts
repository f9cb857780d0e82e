const header = (description: string, type: 'string' | 'integer' = 'string') => ({
  description,
  schema: { type },
});

/** The headers of answers, by their names among the components. */
export const HEADERS = {
  RequestId: header('Names this request in our logs; tell it to support'),
  Wait: header('Seconds to wait before the next try', 'integer'),
  FileName: header('A name for the file'),
  Limit: header('Requests a minute and address', 'integer'),
  Left: header('How many of them are left', 'integer'),
  Reset: header('Seconds until all of them are there again', 'integer'),
  CheckLimit: header('Checks a second and key', 'integer'),
  CheckReset: header('Seconds until the rate is whole again', 'integer'),
  QuotaLimit: header('Checks a month', 'integer'),
  QuotaReset: header('Seconds until the month ends', 'integer'),
  Replayed: header('`true` when this is the answer of an earlier request'),
};

const referTo = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

export const REQUEST_ID = { 'X-Request-Id': referTo('RequestId') };
export const RETRY_AFTER = { 'Retry-After': referTo('Wait') };
export const FILE_NAME = { 'Content-Disposition': referTo('FileName') };
export const REPLAYED = { 'Idempotent-Replayed': referTo('Replayed') };

/** Of the limit by address, which gateways send with every answer of the control plane. */
export const REQUEST_LIMITS = {
  'RateLimit-Limit': referTo('Limit'),
  'RateLimit-Remaining': referTo('Left'),
  'RateLimit-Reset': referTo('Reset'),
};

/** Of a key's rate and its month. */
export const CHECK_LIMITS = {
  'RateLimit-Limit': referTo('CheckLimit'),
  'RateLimit-Remaining': referTo('Left'),
  'RateLimit-Reset': referTo('CheckReset'),
  'X-Quota-Limit': referTo('QuotaLimit'),
  'X-Quota-Remaining': referTo('Left'),
  'X-Quota-Reset': referTo('QuotaReset'),
};

import { JOB_CODES } from '@verdict/contracts/jobs-api.js';
import { AppError, type FieldError } from './app-error.js';

/** Every error of the public interface: status, stable code and the sentence that anybody may read. */

type Detail = Record<string, unknown>;

export const invalidRequest = (message: string, fields?: readonly FieldError[]): AppError =>
  new AppError(400, 'invalid_request', message, fields ? { fields } : {});

export const invalidField = (field: string, message: string, suggestion?: string): AppError =>
  new AppError(400, 'invalid_request', `${field}: ${message}`, {
    fields: [suggestion === undefined ? { field, message } : { field, message, suggestion }],
  });

/** A stranger's key, a mistyped key and no key at all sound alike. */
export const apiKeyInvalid = (detail?: Detail): AppError =>
  new AppError(
    401,
    'invalid_api_key',
    'The API key is invalid or missing; send it in the header X-API-Key.',
    detail ? { detail } : {},
  );

export const tokenInvalid = (detail?: Detail): AppError =>
  new AppError(
    401,
    'invalid_token',
    'The API key or bearer token is invalid or missing; an API key goes into the header X-API-Key.',
    detail ? { detail } : {},
  );

/** A token that was good: the client refreshes it instead of asking for a password. */
export const tokenExpired = (): AppError =>
  new AppError(
    401,
    'invalid_token',
    'The bearer token is invalid or missing: it has expired; trade the refresh token for a new one.',
  );

export const credentialsWrong = (): AppError =>
  new AppError(401, 'invalid_credentials', 'The email or the password is wrong.');

/** The password was right; the client asks for the code and sends all three. */
export const secondFactorRequired = (): AppError =>
  new AppError(
    401,
    'second_factor_required',
    'Send a code of your authenticator app, or a recovery code, as otp.',
  );

export const secondFactorWrong = (): AppError =>
  new AppError(401, 'second_factor_wrong', 'The code is wrong, or was used before.');

/** Unknown, used and expired links sound alike. */
export const linkInvalid = (): AppError =>
  new AppError(400, 'invalid_link', 'This link is not good any more; ask for a new one.');

export const keyInactive = (detail?: Detail): AppError =>
  new AppError(
    403,
    'key_inactive',
    'This API key is inactive or has been revoked.',
    detail ? { detail } : {},
  );

export const keyExpired = (detail?: Detail): AppError =>
  new AppError(403, 'key_expired', 'This API key has expired.', detail ? { detail } : {});

export const addressNotAllowed = (detail?: Detail): AppError =>
  new AppError(
    403,
    'address_not_allowed',
    'This API key may not be used from this IP address.',
    detail ? { detail } : {},
  );

export const scopeMissing = (detail?: Detail): AppError =>
  new AppError(403, 'scope_missing', 'This API key is not meant for this request.', detail ? { detail } : {});

export const keyNotOwned = (detail?: Detail): AppError =>
  new AppError(
    403,
    'key_not_owned',
    'The api_key_id is not one of your API keys, or was revoked.',
    detail ? { detail } : {},
  );

export const keyMismatch = (detail?: Detail): AppError =>
  new AppError(
    403,
    'key_mismatch',
    'The api_key_id does not match the API key that was sent.',
    detail ? { detail } : {},
  );

export const forbidden = (message: string): AppError => new AppError(403, 'forbidden', message);

export const notFound = (message = 'There is nothing at this address.'): AppError =>
  new AppError(404, 'not_found', message);

export const methodNotAllowed = (allowed: readonly string[]): AppError =>
  new AppError(405, 'method_not_allowed', `This address accepts ${allowed.join(', ')} only.`, {
    headers: { allow: allowed.join(', ') },
  });

export const conflict = (code: string, message: string): AppError => new AppError(409, code, message);

export const idempotencyMismatch = (): AppError =>
  new AppError(400, 'idempotency_mismatch', 'This Idempotency-Key was used before with another request.');

/** Values of keys stay known for good, so there is an end to them. */
export const keysUsedUp = (keysMax: number): AppError =>
  new AppError(
    400,
    'too_many_keys_made',
    `Your plan allows ${keysMax} values of API keys in all, revoked and rolled ones included; no more can be made.`,
  );

export const bodyTooLarge = (limitBytes: number): AppError =>
  new AppError(413, 'body_too_large', `The request body is larger than ${limitBytes} bytes.`);

export const unsupportedMediaType = (): AppError =>
  new AppError(415, 'unsupported_media_type', 'Send the body as JSON with Content-Type: application/json.');

export const unsupportedFile = (): AppError =>
  new AppError(
    415,
    'unsupported_media_type',
    'Send the file as text/csv, application/x-ndjson, application/json or multipart/form-data, not compressed.',
  );

export const unreadableFile = (why: string, cause?: unknown): AppError =>
  new AppError(400, JOB_CODES.unreadableFile, `The file cannot be read: ${why}.`, { cause });

const HEADERS_SHOWN_MAX = 20;
const HEADER_CHARS_MAX = 60;

/** Names what was found instead: the column is usually there, under another name. */
export function noEmailColumn(headers: readonly string[]): AppError {
  const shown = headers
    .slice(0, HEADERS_SHOWN_MAX)
    .map((header) => header.slice(0, HEADER_CHARS_MAX).replace(/[\p{Cc}\p{Cs}]/gu, ' '));
  const rest = headers.length > shown.length ? ` and ${headers.length - shown.length} more` : '';
  const found = `found ${shown.map((header) => `"${header}"`).join(', ')}${rest}`;
  return new AppError(
    400,
    JOB_CODES.noEmailColumn,
    `No column of email addresses: ${found}; name the column with ?column=.`,
    { fields: [{ field: 'column', message: found }], extra: { columns: shown } },
  );
}

export const tooManyRows = (rowsMax: number): AppError =>
  new AppError(413, JOB_CODES.tooManyRows, `Your plan takes jobs of at most ${rowsMax} rows.`);

export const tooManyJobs = (activeMax: number): AppError =>
  new AppError(
    429,
    JOB_CODES.tooManyJobs,
    `At most ${activeMax} jobs at a time, and so many as fit; wait for one to end, or cancel or delete one.`,
    { retryAfterSeconds: 60 },
  );

/** A job that is not where this leads from. */
export const jobState = (status: string): AppError =>
  new AppError(409, JOB_CODES.jobState, `This cannot be done with a job that is ${status}.`, {
    retryAfterSeconds: 5,
  });

/** Compressed bodies are read by nobody here: an address is shorter than its compression. */
export const unsupportedEncoding = (encoding: string): AppError =>
  new AppError(
    415,
    'unsupported_media_type',
    `The request body is compressed (Content-Encoding: ${encoding}); send it as it is.`,
  );

export interface QuotaState {
  readonly checksUsed: number;
  readonly checksLimit: number;
  readonly upgradeUrl: string;
}

const quotaFields = (state: QuotaState) => ({
  checks_used: state.checksUsed,
  checks_limit: state.checksLimit,
  upgrade_url: state.upgradeUrl,
});

type Headers = Readonly<Record<string, string | number>>;

/** A larger plan holds at once, so a client that does as it is told comes back within the hour. */
const QUOTA_RETRY_SECONDS_MAX = 3_600;

interface MonthEnd {
  readonly resetsAt: Date;
  readonly nowMs: number;
  readonly headers: Headers;
}

export const quotaExceeded = (state: QuotaState, end: MonthEnd): AppError =>
  monthUsedUp(
    'quota_exceeded',
    `Monthly usage limit exceeded; it starts anew on ${dayOf(end)} at 00:00 UTC, or at once with a larger plan.`,
    state,
    end,
  );

/** The key's own share of the month; the account may have more. */
export const keyQuotaExceeded = (state: QuotaState, end: MonthEnd): AppError =>
  monthUsedUp(
    'key_quota_exceeded',
    `Monthly usage limit of this API key exceeded; it starts anew on ${dayOf(end)} at 00:00 UTC, or at once with a larger quota.`,
    state,
    end,
  );

const dayOf = ({ resetsAt }: MonthEnd): string => resetsAt.toISOString().slice(0, 10);

function monthUsedUp(
  code: string,
  sentence: string,
  state: QuotaState,
  { resetsAt, nowMs, headers }: MonthEnd,
): AppError {
  const seconds = Math.max(1, Math.ceil((resetsAt.getTime() - nowMs) / 1_000));
  return new AppError(429, code, sentence, {
    extra: quotaFields(state),
    retryAfterSeconds: Math.min(seconds, QUOTA_RETRY_SECONDS_MAX),
    headers,
  });
}

/** The same four fields as the quota's 429; `checks_used < checks_limit` tells the two apart. */
export const rateLimited = (state: QuotaState, retryAfterSeconds: number, headers: Headers = {}): AppError =>
  new AppError(429, 'rate_limited', 'Too many requests in a short time; slow down and try again.', {
    extra: quotaFields(state),
    retryAfterSeconds,
    headers,
  });

/** Whoever lets us remember more than their plan has room for is told before Redis is full. */
export const rememberedTooMany = (state: QuotaState, retryAfterSeconds: number, headers: Headers): AppError =>
  new AppError(
    429,
    'idempotency_limit',
    'Too many requests with an Idempotency-Key today; send this one without, or wait for tomorrow (UTC).',
    { extra: quotaFields(state), retryAfterSeconds, headers },
  );

/** For traffic that has no quota: logins, dashboards, strangers. */
export const tooManyRequests = (retryAfterSeconds: number): AppError =>
  new AppError(429, 'too_many_requests', 'Too many requests from this address; try again later.', {
    retryAfterSeconds,
  });

/** Too many wrong passwords for one user or from one address. */
export const loginLocked = (retryAfterSeconds: number): AppError =>
  new AppError(
    429,
    'login_locked',
    `Too many failed logins; try again in ${Math.max(1, Math.ceil(retryAfterSeconds / 60))} minutes.`,
    { retryAfterSeconds },
  );

export const internalError = (cause: unknown): AppError =>
  new AppError(500, 'internal_error', 'Something went wrong on our side.', { cause });

/** A change that is committed but not yet seen by every gateway: nobody may be told that it holds. */
export const changePending = (cause: unknown): AppError =>
  new AppError(
    503,
    'change_pending',
    'The change is stored and will take effect within seconds; it need not be sent again.',
    { cause, retryAfterSeconds: 2 },
  );

export const unavailable = (part: string, cause?: unknown): AppError =>
  new AppError(503, 'unavailable', 'The service cannot answer right now; try again in a moment.', {
    cause,
    detail: { part },
    retryAfterSeconds: 1,
  });

/** Part of the service that whoever runs it has left out. */
export const notSetUp = (message: string): AppError => new AppError(503, 'not_set_up', message);

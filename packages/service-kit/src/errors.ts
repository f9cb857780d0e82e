import type { OperatorRole, Role } from '@verdict/domain/role.js';
import { AppError, type FieldError } from './app-error.js';

/** The errors that several services give: status, stable code and public sentence. */

/** An error whose sentence never changes. The detail goes to the log only. */
const fixed =
  (status: number, code: string, sentence: string) =>
  (detail: Record<string, unknown> = {}): AppError =>
    new AppError(status, code, sentence, { detail });

/** An error whose sentence depends on where it happens. */
const worded =
  (status: number, code: string) =>
  (sentence: string): AppError =>
    new AppError(status, code, sentence);

export const invalidRequest = (message: string, fields?: readonly FieldError[]): AppError =>
  new AppError(400, 'invalid_request', message, fields ? { fields } : {});

export const invalidField = (field: string, message: string, suggestion?: string): AppError =>
  invalidRequest(`${field}: ${message}`, [
    suggestion === undefined ? { field, message } : { field, message, suggestion },
  ]);

// A stranger's key, a mistyped key and no key at all sound alike; so do unknown, used and expired links.
export const apiKeyInvalid = fixed(
  401,
  'invalid_api_key',
  'The API key is invalid or missing. Send it in the header X-API-Key.',
);
export const tokenInvalid = fixed(
  401,
  'invalid_token',
  'The API key or bearer token is invalid or missing. Send an API key in the header X-API-Key.',
);
export const tokenExpired = fixed(
  401,
  'invalid_token',
  'The bearer token is invalid or missing: it has expired. Use the refresh token to get a new one.',
);
export const signatureInvalid = fixed(
  401,
  'invalid_signature',
  'This hook does not exist, or the request is not signed with its secret.',
);
export const credentialsWrong = fixed(401, 'invalid_credentials', 'The email or the password is wrong.');
export const secondFactorRequired = fixed(
  401,
  'second_factor_required',
  'Send a code from your authenticator app, or a recovery code, as otp.',
);
export const secondFactorWrong = fixed(401, 'second_factor_wrong', 'The code is wrong or was already used.');
export const ssoFailed = fixed(
  401,
  'sso_failed',
  'The login at your identity provider failed or took too long. Start again.',
);
export const linkInvalid = fixed(
  400,
  'invalid_link',
  'This link has expired or was already used. Request a new one.',
);

export const keyInactive = fixed(403, 'key_inactive', 'This API key is inactive or has been revoked.');
export const keyExpired = fixed(403, 'key_expired', 'This API key has expired.');
export const addressNotAllowed = fixed(
  403,
  'address_not_allowed',
  'This API key may not be used from this IP address.',
);
export const scopeMissing = fixed(
  403,
  'scope_missing',
  'This API key does not have the scope for this request.',
);
/** No scope opens these routes: they belong to a person, or could make a stronger key. */
export const keyNotAccepted = fixed(
  403,
  'forbidden',
  'API keys cannot make this request. Log in and send a bearer token.',
);
export const keyNotOwned = fixed(
  403,
  'key_not_owned',
  'The api_key_id is not one of your API keys, or it was revoked.',
);
export const keyMismatch = fixed(403, 'key_mismatch', 'The api_key_id does not match the API key you sent.');
export const accountSuspended = fixed(
  403,
  'account_suspended',
  'This account is suspended. It is read-only. Contact support.',
);
const OR = new Intl.ListFormat('en', { type: 'disjunction' });
export const roleMissing = (role: Role, roles: readonly Role[]): AppError =>
  new AppError(
    403,
    'role_missing',
    `Your role in this account is ${role}. This needs the role ${OR.format(roles)}.`,
  );
export const operatorRoleMissing = (role: OperatorRole, roles: readonly OperatorRole[]): AppError =>
  new AppError(
    403,
    'role_missing',
    `Your role as an operator is ${role}. This needs the role ${OR.format(roles)}.`,
  );
export const forbidden = worded(403, 'forbidden');
export const ssoRequired = fixed(
  403,
  'sso_required',
  'Your account requires single sign-on. Log in with single sign-on.',
);
/** The provider knows the person, and the account does not take them. */
export const ssoRefused = worded(403, 'sso_refused');

export const notFound = (sentence = 'No such endpoint. See /docs.'): AppError =>
  new AppError(404, 'not_found', sentence);
export const methodNotAllowed = (allowed: readonly string[]): AppError =>
  new AppError(405, 'method_not_allowed', `This address accepts ${allowed.join(', ')} only.`, {
    headers: { allow: allowed.join(', ') },
  });
export const conflict = (code: string, sentence: string): AppError => new AppError(409, code, sentence);
export const lastOwner = (): AppError =>
  conflict('last_owner', 'This is the last owner of the account. Make another member owner first.');
export const idempotencyMismatch = fixed(
  400,
  'idempotency_mismatch',
  'This Idempotency-Key was used before with another request.',
);

/** Keys stay known after they are revoked, so their number is limited. */
export const keysUsedUp = (keysMax: number): AppError =>
  new AppError(
    400,
    'too_many_keys_made',
    `Your plan allows ${keysMax} API key values in total, including revoked and rolled ones. You have used all of them.`,
  );

export const bodyTooLarge = (limitBytes: number): AppError =>
  new AppError(413, 'body_too_large', `The request body is larger than ${limitBytes} bytes.`);
export const unsupportedMediaType = fixed(
  415,
  'unsupported_media_type',
  'Send the body as JSON with Content-Type: application/json.',
);
export const unsupportedEncoding = fixed(
  415,
  'unsupported_media_type',
  'Send the body uncompressed, or with Content-Encoding: gzip.',
);
/** For traffic that has no quota: logins, dashboards, strangers. */
export const tooManyRequests = (retryAfterSeconds: number): AppError =>
  new AppError(429, 'too_many_requests', 'Too many requests from this address. Try again later.', {
    retryAfterSeconds,
  });
/** Each change leaves a record in the audit log for good. */
export const tooManyChanges = (perHour: number, retryAfterSeconds: number): AppError =>
  new AppError(
    429,
    'too_many_requests',
    `At most ${perHour} changes an hour for an account. Try again later.`,
    { retryAfterSeconds },
  );
/** So does each login. */
export const tooManyLogins = (perHour: number, retryAfterSeconds: number): AppError =>
  new AppError(429, 'too_many_requests', `At most ${perHour} logins an hour for a user. Try again later.`, {
    retryAfterSeconds,
  });
/** Each outcome is a row that is kept. */
export const tooManyOutcomes = (perDay: number, retryAfterSeconds: number): AppError =>
  new AppError(429, 'too_many_requests', `At most ${perDay} outcomes a day on this plan. Try again later.`, {
    retryAfterSeconds,
  });
/** Each look asks name servers that the asker chose. */
export const tooManyProofs = (perMinute: number, retryAfterSeconds: number): AppError =>
  new AppError(
    429,
    'too_many_requests',
    `At most ${perMinute} looks a minute for TXT records. Try again later.`,
    { retryAfterSeconds },
  );
/** Test messages are free, so their number is limited. */
export const tooManyTests = (perMinute: number): AppError =>
  new AppError(
    429,
    'too_many_requests',
    `At most ${perMinute} test messages a minute. Try again in a minute.`,
    {
      retryAfterSeconds: 60,
    },
  );
/** Too many wrong passwords for one user or from one address. */
export const loginLocked = (retryAfterSeconds: number): AppError => {
  const minutes = Math.max(1, Math.ceil(retryAfterSeconds / 60));
  return new AppError(
    429,
    'login_locked',
    `Too many failed logins. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    { retryAfterSeconds },
  );
};

export const internalError = (cause: unknown): AppError =>
  new AppError(500, 'internal_error', 'Something went wrong on our side.', { cause });
/** A change that is committed but that some gateways may not see yet, so it must not be confirmed. */
export const changePending = (cause: unknown): AppError =>
  new AppError(
    503,
    'change_pending',
    'The change is saved and takes effect within seconds. You need not send it again.',
    { cause, retryAfterSeconds: 2 },
  );
export const unavailable = (part: string, cause?: unknown): AppError =>
  new AppError(503, 'unavailable', 'The service cannot answer right now. Try again in a moment.', {
    cause,
    detail: { part },
    retryAfterSeconds: 1,
  });
/** A part of the service that its operator has left out. */
export const notSetUp = worded(503, 'not_set_up');
/** The identity provider of a customer. */
export const ssoUnavailable = fixed(
  503,
  'sso_unavailable',
  'Your identity provider did not answer as it should. Try again in a minute, or tell its administrator.',
);

import { ERROR_CODES, type ErrorCode, type ErrorStatus } from '@verdict/contracts/error-codes.js';
import { operatorRolesOf, rolesOf } from '@verdict/contracts/routes/rights.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import { OPERATOR_ROLES, ROLES } from '@verdict/domain/role.js';
import { waitsForConfirmation } from '../auth/waits-for-confirmation.js';

const KEY_CODES: readonly ErrorCode[] = [
  'invalid_api_key',
  'key_inactive',
  'key_expired',
  'address_not_allowed',
];
const BODY_CODES: readonly ErrorCode[] = ['invalid_request', 'body_too_large', 'unsupported_media_type'];

/** The codes with which a route refuses, by status: its own, and those that it has because of who calls it and how. */
export function refusalsOf(route: Route): ReadonlyMap<string, readonly ErrorCode[]> {
  const codes = new Set([...(route.codes ?? []).map(codeOf), ...impliedBy(route)]);
  return new Map(
    Object.entries(ERROR_CODES).flatMap(([status, all]) => {
      const own = all.filter((code) => codes.has(code));
      return own.length > 0 ? [[status, own]] : [];
    }),
  );
}

const codeOf = (expected: ErrorStatus | ErrorCode): ErrorCode =>
  typeof expected === 'number' ? ERROR_CODES[expected][0] : expected;

function impliedBy(route: Route): readonly ErrorCode[] {
  const { method, path, callers, scope, tag, takes, whileSuspended } = route;
  const isForSome =
    (rolesOf(route) ?? ROLES).length < ROLES.length ||
    (operatorRolesOf(route) ?? OPERATOR_ROLES).length < OPERATOR_ROLES.length;
  const isReading = method === 'GET';
  const takesUsers = callers !== 'anyone' && callers !== 'key';
  const takesKeys = callers === 'key' || callers === 'key or user';
  return [
    ...(takesUsers ? (['invalid_token'] as const) : []),
    ...(takesKeys ? KEY_CODES : []),
    ...(takesKeys && scope ? (['scope_missing'] as const) : []),
    ...(takesKeys && takesUsers ? (['key_not_owned'] as const) : []),
    ...(isForSome ? (['role_missing'] as const) : []),
    // Keys where only users may ask; changes of an account whose address is not confirmed.
    ...(takesUsers && (!takesKeys || waitsForConfirmation({ tag, takes })) ? (['forbidden'] as const) : []),
    // A gateway learns of a suspension as of an inactive key.
    ...(isReading || !takesUsers || whileSuspended || tag === 'validation'
      ? []
      : (['account_suspended'] as const)),
    // A body that no route asked for is read and judged all the same.
    ...(isReading ? [] : BODY_CODES),
    // So is a path that is not valid percent-encoding.
    ...(path.includes(':') ? (['invalid_request', 'not_found'] as const) : []),
    'too_many_requests',
    'internal_error',
    'unavailable',
  ];
}

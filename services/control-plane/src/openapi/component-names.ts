import * as files from '@verdict/contracts/routes/file-replies.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import type { Reply } from './openapi-document.js';
import { refusalsOf } from './refusals-of.js';

/** A name among the components for an answer that several operations have: its schema, its file or its codes. */
export function replyName(route: Route, status: string, { content = {} }: Reply): string | undefined {
  const codes = refusalsOf(route).get(status);
  if (codes) return refusalName(route, codes);
  const declared: object | undefined = route.replies[Number(status)];
  const [file] = Object.entries<object>(files).find(([, each]) => each === declared) ?? [];
  if (file !== undefined) return file;
  const schema = content['application/json']?.schema;
  return schema && '$ref' in schema ? String(schema.$ref).split('/').at(-1) : undefined;
}

/** A body that several operations take has the name of its schema. */
export function bodyNames(body: object): readonly string[] {
  const name = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(body))?.[1];
  return name === undefined ? [] : [name];
}

/** Codes that go without saying beside another one. */
const COMMON = new Set(['invalid_request', 'invalid_token', 'too_many_requests', 'unavailable']);
/** Codes that say the same to a reader of the document. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  KeyRefused: ['key_inactive', 'key_expired', 'address_not_allowed', 'scope_missing', 'key_not_owned'],
  QuotaExceeded: ['quota_exceeded', 'key_quota_exceeded', 'rate_limited', 'idempotency_limit', 'test_limit'],
};

function refusalName({ tag }: Route, codes: readonly string[]): string {
  const telling = codes.filter((code) => !COMMON.has(code));
  const words = new Set((telling.length === 0 ? codes : telling).map(wordOf));
  const name = [...words].join('Or');
  // Their headers differ from those of the control plane.
  return tag === 'validation' && name !== 'QuotaExceeded' ? `Check${name}` : name;
}

/** Nearly every operation refers to these, so that a letter of theirs is a hundred bytes of the document. */
const SHORT: Readonly<Record<string, string>> = {
  invalid_request: 'Invalid',
  invalid_token: 'NoToken',
  account_suspended: 'Suspended',
  role_missing: 'Role',
  body_too_large: 'TooLarge',
  unsupported_media_type: 'BadType',
  too_many_requests: 'TooMany',
  internal_error: 'Failed',
  unavailable: 'Away',
};

const wordOf = (code: string): string =>
  Object.keys(GROUPS).find((group) => GROUPS[group]?.includes(code)) ?? SHORT[code] ?? pascal(code);

/** `Idempotency-Key` and `idempotency_key` are IdempotencyKey. */
export const pascal = (text: string): string =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

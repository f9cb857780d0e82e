import type { FastifyContextConfig } from 'fastify';
import type { ErrorCode } from '../http/error-replies.js';

const KEY_CODES: readonly ErrorCode[] = [
  'invalid_api_key',
  'key_inactive',
  'key_expired',
  'address_not_allowed',
  'scope_missing',
  'key_not_owned',
];
const BODY_CODES: readonly ErrorCode[] = ['invalid_request', 'body_too_large', 'unsupported_media_type'];

/** Codes that a route has because of who calls it and how, whatever it does. */
export function credentialCodes(
  config: FastifyContextConfig,
  { method, url }: { readonly method: string; readonly url: string },
): readonly ErrorCode[] {
  const isReading = method === 'GET' || method === 'HEAD';
  return [
    ...(config.open ? [] : (['invalid_token'] as const)),
    ...(config.keyOrToken ? KEY_CODES : []),
    ...(isReading || config.open || config.whileSuspended ? [] : (['account_suspended'] as const)),
    // A body that no route asked for is read and judged all the same.
    ...(isReading ? [] : BODY_CODES),
    // So is a path that is not valid percent-encoding.
    ...(url.includes(':') ? (['invalid_request'] as const) : []),
  ];
}

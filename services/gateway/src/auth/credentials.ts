import { idPattern } from '@verdict/contracts/id-pattern.js';
import type { AccessTokenClaims } from '@verdict/contracts/token-claims.js';
import { ipDigits } from '@verdict/domain/address/ip-network.js';
import type { Caller } from '@verdict/redis-store/step.js';
import { invalidField, keyMismatch, keyNotOwned } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';

/** The credentials that the headers proved: an API key, a token, or both. */
export interface Credentials {
  readonly key: Caller | null;
  readonly token: AccessTokenClaims | null;
}

const KEY_ID = new RegExp(`^${idPattern('key')}$`);

/** Which key a check is charged to. With a token the body must name it, and it must be the caller's own. */
export function callerOf({ key, token }: Credentials, apiKeyId: string | undefined): Caller {
  if (token && apiKeyId === undefined) {
    throw invalidField('api_key_id', 'is required when a bearer token is sent');
  }
  if (key) {
    if (token && token.acc !== key.accountId) throw keyNotOwned({ keyId: key.keyId });
    if (apiKeyId !== undefined && apiKeyId !== key.keyId) throw keyMismatch({ keyId: key.keyId });
    return key;
  }
  if (!token || apiKeyId === undefined || !KEY_ID.test(apiKeyId)) throw keyNotOwned();
  return { accountId: token.acc, keyId: apiKeyId, credential: apiKeyId };
}

/** The credentials of a request to a route that requires some. */
export function credentialsOf({ credentials }: FastifyRequest): Credentials {
  if (!credentials) throw new Error('the route asked for no credentials');
  return credentials;
}

/** The origin of a request, for keys limited to networks. Computed on demand. */
export const addressOf = (request: FastifyRequest) => (): string => ipDigits(request.ip);

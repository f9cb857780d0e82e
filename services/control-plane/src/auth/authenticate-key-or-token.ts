import { forAccount } from '@verdict/db/account-scope.js';
import type { Database } from '@verdict/db/client.js';
import { findKeyStanding, type KeyStanding } from '@verdict/db/find-key-standing.js';
import { hashApiKey, isWellFormedApiKey } from '@verdict/domain/api-key.js';
import { apiKeyInvalid, keyInactive, keyNotOwned } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { KeyCaller } from '../http/control-plane-app.js';
import { authenticate } from './authenticate.js';

/** Who calls a route that takes an API key, a bearer token, or both; whatever is sent must be good. */
export async function authenticateKeyOrToken(db: Database, request: FastifyRequest): Promise<KeyCaller> {
  const { authorization, 'x-api-key': value } = request.headers;
  const key = value !== undefined || authorization === undefined ? await readKey(db, value) : null;
  const user = authorization === undefined ? null : await authenticate(db, request);
  if (key && user && user.account.id !== key.accountId) throw keyNotOwned({ keyId: key.keyId });
  return {
    account: user?.account ?? forAccount(db, (key as KeyStanding).accountId),
    keyId: key?.keyId ?? null,
    userId: user?.userId ?? null,
  };
}

async function readKey(db: Database, value: string | string[] | undefined): Promise<KeyStanding> {
  if (typeof value !== 'string' || !isWellFormedApiKey(value)) throw apiKeyInvalid({ why: 'malformed' });
  const standing = await findKeyStanding(db, hashApiKey(value));
  if (!standing) throw apiKeyInvalid({ why: 'unknown' });
  if (!standing.active) throw keyInactive({ keyId: standing.keyId });
  return standing;
}

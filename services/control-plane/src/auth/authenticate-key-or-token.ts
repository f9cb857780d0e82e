import { forAccount } from '@verdict/db/accounts/account-scope.js';
import { createBulkJobs } from '@verdict/db/bulk/bulk-jobs.js';
import type { Database } from '@verdict/db/database/client.js';
import { findKeyStanding, type KeyStanding } from '@verdict/db/keys/find-key-standing.js';
import { ipDigits, parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { hashApiKey, isWellFormedApiKey } from '@verdict/domain/api-key.js';
import {
  addressNotAllowed,
  apiKeyInvalid,
  keyExpired,
  keyInactive,
  keyNotOwned,
  scopeMissing,
} from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Databases } from '../dependencies.js';
import type { KeyCaller } from '../http/control-plane-app.js';
import { authenticate } from './authenticate.js';

/** Authenticates a route that takes an API key, a bearer token, or both; each credential sent must be valid. */
export async function authenticateKeyOrToken(
  databases: Databases,
  request: FastifyRequest,
): Promise<KeyCaller> {
  const { db, authDb } = databases;
  const { authorization, 'x-api-key': value } = request.headers;
  const key =
    value !== undefined || authorization === undefined ? await readKey(authDb, value, request.ip) : null;
  const user = authorization === undefined ? null : await authenticate(databases, request);
  if (key && user && user.account.id !== key.accountId) throw keyNotOwned({ keyId: key.keyId });
  const account = user?.account ?? forAccount(db, (key as KeyStanding).accountId);
  const keyId = key?.keyId ?? null;
  const jobs = user ? account.jobs : createBulkJobs(db, account.id, keyId);
  return { account, keyId, userId: user?.userId ?? null, jobs };
}

/** The terms of a key hold here as they do in the step. Test checks are kept apart, so a test key has no jobs. */
async function readKey(db: Database, value: string | string[] | undefined, ip: string): Promise<KeyStanding> {
  if (typeof value !== 'string' || !isWellFormedApiKey(value)) throw apiKeyInvalid({ why: 'malformed' });
  const standing = await findKeyStanding(db, hashApiKey(value));
  if (!standing) throw apiKeyInvalid({ why: 'unknown' });
  const { keyId, active, expired, allowedIps, scopes, mode } = standing;
  if (!active) throw keyInactive({ keyId });
  if (expired) throw keyExpired({ keyId });
  if (allowedIps.length > 0 && !isWithin(ip, allowedIps)) throw addressNotAllowed({ keyId });
  if (mode === 'test' || !scopes.includes('jobs')) throw scopeMissing({ keyId });
  return standing;
}

function isWithin(ip: string, networks: readonly string[]): boolean {
  const digits = ipDigits(ip);
  return networks.some((text) => {
    const parsed = parseIpNetwork(text);
    if (!parsed.ok || parsed.network.first.length !== digits.length) return false;
    return parsed.network.first <= digits && digits <= parsed.network.last;
  });
}

import type { Route } from '@verdict/contracts/routes/route.js';
import { forAccount } from '@verdict/db/accounts/account-scope.js';
import { createBulkJobs } from '@verdict/db/bulk/bulk-jobs.js';
import type { Database } from '@verdict/db/database/client.js';
import { findKeyStanding, type KeyStanding } from '@verdict/db/keys/find-key-standing.js';
import { ipDigits, parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { hashApiKey, isWellFormedApiKey } from '@verdict/domain/api-key.js';
import type { KeyScope } from '@verdict/domain/key-words.js';
import {
  addressNotAllowed,
  apiKeyInvalid,
  keyExpired,
  keyInactive,
  keyNotAccepted,
  keyNotOwned,
  scopeMissing,
} from '@verdict/service-kit/errors.js';
import { requireRole } from '@verdict/service-kit/require-role.js';
import type { FastifyRequest } from 'fastify';
import type { Databases } from '../dependencies.js';
import type { KeyCaller } from '../http/control-plane-app.js';
import { authenticate } from './authenticate.js';

/** Authenticates a route that takes an API key or a bearer token. Beside a token, a key only says which one a job is charged to. */
export async function authenticateKeyOrToken(
  databases: Databases,
  request: FastifyRequest,
  route: Route,
): Promise<KeyCaller> {
  const { scope } = route;
  const { db, authDb } = databases;
  const { authorization, 'x-api-key': value } = request.headers;
  const needsKey = authorization === undefined || (value !== undefined && scope === 'jobs');
  const key = needsKey ? await readKey(authDb, request, scope) : null;
  const user = authorization === undefined ? null : await authenticate(databases, request);
  if (key && user && user.account.id !== key.accountId) throw keyNotOwned({ keyId: key.keyId });
  if (user) requireRole(route, user.role);
  const account = user?.account ?? forAccount(db, (key as KeyStanding).accountId);
  const keyId = key?.keyId ?? null;
  const jobs = user ? account.jobs : createBulkJobs(db, account.id, keyId);
  return { account, keyId, userId: user?.userId ?? null, jobs };
}

/** Refuses a known key at a route for users with the reason. An unknown one is refused as no credential at all. */
export async function refuseKey({ authDb }: Databases, request: FastifyRequest): Promise<void> {
  const key = await findKey(authDb, request);
  if (key) throw keyNotAccepted({ keyId: key.keyId });
}

const findKey = async (
  db: Database,
  { headers: { 'x-api-key': value } }: FastifyRequest,
): Promise<KeyStanding | null> =>
  typeof value === 'string' && isWellFormedApiKey(value) ? findKeyStanding(db, hashApiKey(value)) : null;

/** The terms of a key hold here as they do in the step. A test key reads and changes nothing of the account. */
async function readKey(
  db: Database,
  request: FastifyRequest,
  scope: KeyScope | undefined,
): Promise<KeyStanding> {
  const standing = await findKey(db, request);
  if (!standing) throw apiKeyInvalid({ why: 'malformed or unknown' });
  const { keyId, active, expired, allowedIps, scopes, mode } = standing;
  if (!active) throw keyInactive({ keyId });
  if (expired) throw keyExpired({ keyId });
  if (allowedIps.length > 0 && !isWithin(request.ip, allowedIps)) throw addressNotAllowed({ keyId });
  if (scope && (mode === 'test' || !scopes.includes(scope))) throw scopeMissing({ keyId });
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

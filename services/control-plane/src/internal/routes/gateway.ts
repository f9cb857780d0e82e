import { createHash, timingSafeEqual } from 'node:crypto';
import {
  hookPath,
  IdentityReplySchema,
  INTERNAL_TOKEN_HEADER,
  identityPath,
  PolicyRulesReplySchema,
  ProjectedHookReplySchema,
  ProjectReplySchema,
  policyPath,
  projectPath,
  SessionReplySchema,
  sessionPath,
  UsageBreakdownSchema,
  usagePath,
} from '@verdict/contracts/control-plane-api.js';
import { KEY_USES_PATH, type KeyUsesReport, KeyUsesReportSchema } from '@verdict/contracts/key-uses.js';
import { REFUSED_PATH, type RefusedGroup, RefusedReportSchema } from '@verdict/contracts/refused-requests.js';
import { forAccount } from '@verdict/db/accounts/account-scope.js';
import { storeRefused } from '@verdict/db/checks/refused-requests.js';
import { findHook } from '@verdict/db/hooks/find-hook.js';
import { findKeyIdentity } from '@verdict/db/keys/find-key-identity.js';
import { storeKeyUses } from '@verdict/db/keys/key-uses.js';
import { findLiveSession } from '@verdict/db/people/sessions.js';
import { readPolicyRules } from '@verdict/db/policies/read-policy-rules.js';
import { isMonth, monthBounds } from '@verdict/domain/month.js';
import { writeIdentity } from '@verdict/redis-store/identity.js';
import { writePolicyRules } from '@verdict/redis-store/policy-rules.js';
import { projectedHookText } from '@verdict/redis-store/projected-hook.js';
import { invalidField, notFound, tokenInvalid } from '@verdict/service-kit/errors.js';
import { readInternalTokens } from '@verdict/service-kit/internal-tokens.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import { readVersion } from '../../policies/read-version.js';
import { usageBreakdown } from '../../usage/usage-breakdown.js';

const KEY_HASH = /^[0-9a-f]{64}$/;

/** The gateway's questions when Redis has lost something, and figures that only Postgres has. */
export async function internalRoutes(app: FastifyInstance, deps: Dependencies): Promise<void> {
  const { authDb: db, redis, shards, project, projectHook, config } = deps;
  const { accepted } = readInternalTokens(config.INTERNAL_TOKEN);
  const digests = accepted.map(digest);
  app.addHook('onRequest', async (request) => requireToken(request, digests));

  app.get<{ Params: { hash: string } }>(
    identityPath(':hash'),
    { schema: { response: { 200: IdentityReplySchema } } },
    async (request) => {
      const { hash } = request.params;
      const identity = KEY_HASH.test(hash) ? await findKeyIdentity(db, hash) : null;
      if (!identity) throw notFound('There is no such key.');
      // Revoked keys too: in Redis they must stay known, or a revoked key would sound like one that never was.
      await writeIdentity(redis, hash, identity);
      return { account_id: identity.accountId, key_id: identity.keyId };
    },
  );

  app.post<{ Params: { id: string } }>(
    projectPath(':id'),
    { schema: { response: { 200: ProjectReplySchema } } },
    async (request) => {
      if (!(await project(request.params.id))) throw notFound('There is no such account.');
      return { projected: true };
    },
  );

  app.post<{ Params: { id: string; version: string } }>(
    policyPath(':id', ':version'),
    { schema: { response: { 200: PolicyRulesReplySchema } } },
    async (request) => {
      const { id, version: text } = request.params;
      const version = readVersion(text);
      const rules = await readPolicyRules(db, id, version);
      if (!rules) throw notFound('There is no such policy.');
      await writePolicyRules({ redis, shards }, id, version, rules);
      return { rules: [...rules] };
    },
  );

  // Reads Postgres alone: a gateway that has lost Redis asks too.
  app.get<{ Params: { id: string } }>(
    hookPath(':id'),
    { schema: { response: { 200: ProjectedHookReplySchema } } },
    async (request) => {
      const row = await findHook(db, request.params.id);
      const hook = row && projectHook(row);
      if (!row || !hook) throw notFound('There is no such hook.');
      return { account_id: row.account_id, hook: projectedHookText(hook) };
    },
  );

  app.post<{ Body: { groups: RefusedGroup[] } }>(
    REFUSED_PATH,
    { schema: { body: RefusedReportSchema } },
    async (request) => {
      await storeRefused(db, request.body.groups);
      return {};
    },
  );

  app.post<{ Body: KeyUsesReport }>(
    KEY_USES_PATH,
    { schema: { body: KeyUsesReportSchema } },
    async (request) => {
      await storeKeyUses(db, request.body);
      return {};
    },
  );

  app.get<{ Params: { account: string; user: string; session: string } }>(
    sessionPath(':account', ':user', ':session'),
    { schema: { response: { 200: SessionReplySchema } } },
    async (request) => {
      const { account: accountId, user: userId, session: sessionId } = request.params;
      const session = await findLiveSession(db, { accountId, userId, sessionId });
      if (!session) throw notFound('There is no such session.');
      return { live: true, role: session.role };
    },
  );

  app.get<{ Params: { id: string; month: string } }>(
    usagePath(':id', ':month'),
    { schema: { response: { 200: UsageBreakdownSchema } } },
    async (request) => {
      const { id, month } = request.params;
      if (!isMonth(month)) throw invalidField('month', 'must look like 2026-11');
      const { start, end } = monthBounds(month);
      return usageBreakdown(await forAccount(db, id).usage.sums({ from: start, to: end, by: 'day' }));
    },
  );
}

/** Compared as hashes: equal lengths, and no hint in the time it takes. */
function requireToken(request: FastifyRequest, expected: readonly Buffer[]): void {
  const shown = request.headers[INTERNAL_TOKEN_HEADER];
  if (typeof shown !== 'string') throw tokenInvalid();
  const hash = digest(shown);
  if (!expected.some((one) => timingSafeEqual(hash, one))) throw tokenInvalid();
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

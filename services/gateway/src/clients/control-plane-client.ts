import {
  hookPath,
  type IdentityReply,
  INTERNAL_TOKEN_HEADER,
  identityPath,
  type PolicyRulesReply,
  type ProjectedHookReply,
  policyPath,
  projectPath,
  type SessionReply,
  sessionPath,
  type UsageBreakdown,
  usagePath,
} from '@verdict/contracts/control-plane-api.js';
import { KEY_USES_PATH, type KeyUsesReport } from '@verdict/contracts/key-uses.js';
import { REFUSED_PATH, type RefusedGroup } from '@verdict/contracts/refused-requests.js';
import type { AccessTokenClaims } from '@verdict/contracts/token-claims.js';
import type { Role } from '@verdict/domain/role.js';
import { Pool } from 'undici';

export type ControlPlaneClient = ReturnType<typeof createControlPlaneClient>;

interface ClientOptions {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
}

/** The internal endpoints of the control plane: asked only for what Redis does not have. */
export function createControlPlaneClient({ url, token, timeoutMs }: ClientOptions) {
  const pool = new Pool(url, { connections: 8, connect: { timeout: timeoutMs } });
  const headers = { [INTERNAL_TOKEN_HEADER]: token };

  async function call<T>(method: 'GET' | 'POST', path: string, json?: unknown): Promise<T | null> {
    const answer = await pool.request({
      method,
      path,
      ...(json === undefined
        ? { headers }
        : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(json) }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    if (answer.statusCode === 200) return (await answer.body.json()) as T;
    await answer.body.dump();
    if (answer.statusCode === 404) return null;
    throw new Error(`the control plane answered ${answer.statusCode} to ${method} ${path}`);
  }

  return {
    /** Null for a key that never existed. */
    async findIdentity(keyHash: string) {
      const reply = await call<IdentityReply>('GET', identityPath(keyHash));
      return reply ? { accountId: reply.account_id, keyId: reply.key_id } : null;
    },
    /** Brings an account back into a Redis that lost it; false when there is no such account. */
    async project(accountId: string) {
      return (await call('POST', projectPath(accountId))) !== null;
    },
    /** Brings a version of a policy back into a Redis that lost it, and returns its rules as JSON; null for none. */
    async projectPolicy(accountId: string, version: number) {
      const reply = await call<PolicyRulesReply>('POST', policyPath(accountId, version));
      return reply && JSON.stringify(reply.rules);
    },
    /** A hook as Postgres has it now; null when there is none. */
    async findHook(hookId: string) {
      const reply = await call<ProjectedHookReply>('GET', hookPath(hookId));
      return reply ? { accountId: reply.account_id, hook: reply.hook } : null;
    },
    async reportRefused(groups: readonly RefusedGroup[]) {
      await call('POST', REFUSED_PATH, { groups });
    },
    async reportKeyUses(report: KeyUsesReport) {
      await call('POST', KEY_USES_PATH, report);
    },
    /**
     * The role of a token's user while its session lives, otherwise null: logging out and removing a member must take
     * effect before the token expires. A control plane of an earlier release knows owners only.
     */
    async findRole({ acc, sub, sid }: AccessTokenClaims): Promise<Role | null> {
      const reply = await call<SessionReply>('GET', sessionPath(acc, sub, sid));
      return reply && (reply.role ?? 'owner');
    },
    async usage(accountId: string, month: string) {
      const reply = await call<UsageBreakdown>('GET', usagePath(accountId, month));
      if (!reply) throw new Error('the control plane does not know the account');
      return reply;
    },
    async close() {
      await pool.close();
    },
  };
}

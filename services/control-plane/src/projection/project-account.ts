import { markProjected } from '@verdict/db/accounts/outbox.js';
import { type ProjectionSnapshot, readProjectionSnapshot } from '@verdict/db/accounts/projection-snapshot.js';
import type { Database } from '@verdict/db/database/client.js';
import { parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { DEFAULT_SCOPES } from '@verdict/domain/key-words.js';
import { type Month, monthBounds, monthOf } from '@verdict/domain/month.js';
import { DEFAULT_PLAN, type Plan, type Plans, stopsAt } from '@verdict/domain/plans.js';
import { planIn } from '@verdict/domain/pricing/prices-in.js';
import { credentialStatus } from '@verdict/redis-store/credential-status.js';
import { writeIdentity } from '@verdict/redis-store/identity.js';
import { credentialOfHash } from '@verdict/redis-store/keys.js';
import {
  type AccountProjection,
  type Credential,
  type NextPlan,
  type PlanLimits,
  projectAccount,
} from '@verdict/redis-store/project.js';
import { writeHookOwner } from '@verdict/redis-store/projected-hook.js';
import { readAccount } from '@verdict/redis-store/read-account.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import type { ProjectHook } from './project-hook.js';

export interface ProjectionStores extends AccountStore {
  readonly db: Database;
  readonly plans: Plans;
  readonly projectHook: ProjectHook;
}

/** Brings Redis to what Postgres says now. False when there is no such account. */
export async function projectFromPostgres(stores: ProjectionStores, accountId: string): Promise<boolean> {
  const { db, redis } = stores;
  const present = await readAccount(stores, accountId, monthOf(new Date()));
  const snapshot = await readProjectionSnapshot(db, accountId, false);
  if (!snapshot) return false;
  // Twenty thousand list entries are read and sent only when Redis has not got them.
  const projected =
    present?.listsVersion === snapshot.listsVersion &&
    (await projectAccount(stores, toProjection(stores, accountId, snapshot))) !== 'lists needed';
  const version = projected ? snapshot.version : await projectWithLists(stores, accountId);
  for (const { secretHash, keyId } of snapshot.secrets) {
    await writeIdentity(redis, secretHash, { accountId, keyId });
  }
  for (const { id } of snapshot.hooks) await writeHookOwner(stores, id, accountId);
  await markProjected(db, accountId, version);
  return true;
}

async function projectWithLists(stores: ProjectionStores, accountId: string): Promise<number> {
  const { db } = stores;
  const snapshot = await readProjectionSnapshot(db, accountId, true);
  if (!snapshot) throw new Error(`account ${accountId} vanished while it was projected`);
  await projectAccount(stores, toProjection(stores, accountId, snapshot));
  return snapshot.version;
}

export function toProjection(
  { plans, projectHook }: Pick<ProjectionStores, 'plans' | 'projectHook'>,
  accountId: string,
  snapshot: ProjectionSnapshot,
): AccountProjection {
  const plan = limitsOf(plans, snapshot.plan);
  return {
    accountId,
    version: snapshot.version,
    ...planLimits(plans, snapshot.plan, snapshot.checks_cap),
    ownProxy: snapshot.ownProxy,
    tracked: trackedThings(plans, snapshot.plan, snapshot.settings.bursts),
    ipIntelligence: snapshot.settings.ip_intelligence,
    next: nextPlan(plans, snapshot),
    policies: snapshot.policies,
    hooks: snapshot.hooks.flatMap((hook) => projectHook(hook) ?? []),
    used: snapshot.used,
    keyUsed: snapshot.keyUsed,
    credentials: snapshot.secrets.flatMap((secret) => toCredentials(secret, plan)),
    listsVersion: snapshot.listsVersion,
    ...(snapshot.lists && { lists: snapshot.lists }),
  };
}

/** A plan that was taken out of the plans file must not lock its customers out: they get the default's limits. */
export const limitsOf = (plans: Plans, name: string, month = monthOf(new Date())): Plan =>
  planIn(plans.get(name) ?? (plans.get(DEFAULT_PLAN) as Plan), month);

export function planLimits(
  plans: Plans,
  name: string,
  ownCap: number | null,
  month?: Month,
): Required<PlanLimits> {
  const plan = limitsOf(plans, name, month);
  const { checksPerSecond, rememberedPerDay, unmeteredPerDay, trackedThings: tracked } = plan;
  return {
    plan: name,
    limit: stopsAt(plan, ownCap),
    rate: checksPerSecond,
    remembered: rememberedPerDay,
    unmetered: unmeteredPerDay,
    tracked,
  };
}

/** Nothing is counted for an account that switched bursts off. */
export const trackedThings = (plans: Plans, name: string, bursts: boolean): number =>
  bursts ? limitsOf(plans, name).trackedThings : 0;

/** The next change of an account's limits: to another plan, or to the quota that its plan has from a later month on. */
export function nextPlan(
  plans: Plans,
  { plan: name, checks_cap: ownCap, next }: Pick<ProjectionSnapshot, 'plan' | 'checks_cap' | 'next'>,
): NextPlan | null {
  if (next) {
    const month = monthOf(new Date(next.fromMicros / 1_000));
    return { ...planLimits(plans, next.plan, ownCap, month), fromMicros: next.fromMicros };
  }
  const now = limitsOf(plans, name);
  const change = now.priceChanges.find(
    (later) => later.from > monthOf(new Date()) && stopsAt(later, ownCap) !== stopsAt(now, ownCap),
  );
  if (!change) return null;
  const fromMicros = monthBounds(change.from).start.getTime() * 1_000;
  return { ...planLimits(plans, name, ownCap, change.from), fromMicros };
}

/**
 * The current secret is known by its tag and, for callers with a token, by its key's id. Allowed networks apply to the
 * secret only, because the holder of a token could change the list anyway.
 */
function toCredentials(
  secret: ProjectionSnapshot['secrets'][number],
  { checksPerSecond }: Plan,
): Credential[] {
  const { keyId, mode, untilMicros, expiresMicros, allowedIps, monthlyQuota, scopes } = secret;
  const active = secret.status === 'active';
  const terms = {
    endsMicros: untilMicros,
    expiresMicros,
    quota: monthlyQuota,
    testRate: mode === 'test' ? Math.min(TEST_RATE_MAX, checksPerSecond) : null,
    // The step asks for the scopes of checks and usage only.
    scopes: DEFAULT_SCOPES.every((scope) => scopes.includes(scope)) ? null : scopes,
  };
  const from = allowedIps.length > 0 ? allowedIps.flatMap(rangeOf) : null;
  const own = {
    name: credentialOfHash(secret.secretHash),
    status: credentialStatus(active, { ...terms, from }),
  };
  return untilMicros === null ? [own, { name: keyId, status: credentialStatus(active, terms) }] : [own];
}

/** Enough for tests, too little to do real work with: checks a second of a test key, whatever the plan. */
const TEST_RATE_MAX = 50;

const rangeOf = (text: string): [string, string][] => {
  const parsed = parseIpNetwork(text);
  return parsed.ok ? [[parsed.network.first, parsed.network.last]] : [];
};

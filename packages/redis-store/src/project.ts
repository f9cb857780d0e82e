import type { ListedValue } from '@verdict/domain/account-list.js';
import packAccountLua from '../lua/pack-account.lua';
import projectLua from '../lua/project.lua';
import { accountKey, hooksKey, listsKey, policiesKey } from './keys.js';
import { listFields } from './list-fields.js';
import { policiesText } from './policies-text.js';
import { type ProjectedHook, projectedHookText } from './projected-hook.js';
import { loadScript } from './script.js';
import type { AccountStore } from './shards.js';

const runProject = loadScript(`${packAccountLua}\n${projectLua}`);

export interface Credential {
  /** Tag of a secret (credentialOfHash) or a key id. */
  readonly name: string;
  /** See credential-status.ts. */
  readonly status: string;
}

export interface PlanLimits {
  readonly plan: string;
  readonly limit: number;
  readonly rate: number;
  /** Checks a day whose answers may be remembered for an Idempotency-Key; left out: as many as there are. */
  readonly remembered?: number;
  /** Verdicts a day of test keys, tries and evidence; left out: what a plan has that does not say. */
  readonly unmetered?: number;
  /** Things a week whose repetitions are counted; left out or 0: none. */
  readonly tracked?: number;
}

/** A pending downgrade. The step follows it by its own clock, even while every other process is away. */
export interface NextPlan extends PlanLimits {
  readonly fromMicros: number;
}

/** The versions in use, and the rules of each by version. */
export interface PolicyVersions {
  readonly live: number | null;
  readonly shadow: number | null;
  readonly rules: Readonly<Record<string, unknown>>;
}

/** Everything the gateway must know about an account, as Postgres had it at one version. */
export interface AccountProjection extends PlanLimits {
  readonly accountId: string;
  readonly version: number;
  readonly next?: NextPlan | null;
  /** Whether answers say which kind of network an IP belongs to; left out: they do. */
  readonly ipIntelligence?: boolean;
  /** Name of the thing that the account's own proxy is, whose repetitions are not counted; left out or null: none. */
  readonly ownProxy?: string | null;
  /** Versions of the account's policy; left out: none. */
  readonly policies?: PolicyVersions;
  /** Left out: none. */
  readonly hooks?: readonly ProjectedHook[];
  /** Counts by the rollups, for this month and its neighbours; used only when Redis has lost the account. */
  readonly used: readonly { readonly month: string; readonly checks: number }[];
  /** The same by key. Taken where Redis has counted less: a count of ours is never ahead of the truth. */
  readonly keyUsed?: readonly { readonly month: string; readonly keyId: string; readonly checks: number }[];
  /** A key that none of them names is gone, and with it what Redis holds about it. */
  readonly credentials: readonly Credential[];
  readonly listsVersion: number;
  /** Left out when Redis should have them already. */
  readonly lists?: readonly ListedValue[];
}

export type ProjectionOutcome = 'written' | 'refused' | 'lists needed';

/** Refused when Redis already had this version or a newer one. */
export async function projectAccount(
  { redis, shards }: AccountStore,
  projection: AccountProjection,
): Promise<ProjectionOutcome> {
  const { accountId } = projection;
  const keys = [accountKey, listsKey, policiesKey, hooksKey].map((key) => key(accountId, shards));
  const reply = await runProject(redis, keys, [encode(projection)]);
  if (reply === 1) return 'written';
  return reply === 0 ? 'refused' : 'lists needed';
}

/** A next plan as the account hash holds it; '' for none. */
export const nextPlanText = (next: NextPlan | null): string =>
  next === null
    ? ''
    : JSON.stringify({
        from: next.fromMicros,
        plan: next.plan,
        limit: next.limit,
        rate: next.rate,
        remembered: next.remembered,
        unmetered: next.unmetered,
        tracked: next.tracked,
      });

/** Numbers travel as text: Lua would write 2500000000000000 as 2.5e+15. */
function encode(projection: AccountProjection): string {
  const {
    version,
    plan,
    limit,
    rate,
    remembered,
    unmetered,
    tracked = 0,
    ipIntelligence = true,
    ownProxy = null,
    next = null,
    policies,
    hooks = [],
    used,
    keyUsed = [],
    credentials,
    listsVersion,
    lists,
  } = projection;
  return JSON.stringify({
    version: String(version),
    plan,
    limit: String(limit),
    rate: String(rate),
    ...(remembered !== undefined && { remembered: String(remembered) }),
    ...(unmetered !== undefined && { unmetered: String(unmetered) }),
    tracked: String(tracked),
    ipIntelligence: ipIntelligence ? '1' : '0',
    ownProxy: ownProxy ?? '',
    ...(next && { next: nextPlanText(next) }),
    policies: policies ? policiesText(policies) : '',
    policyRules: Object.fromEntries(
      Object.entries(policies?.rules ?? {}).map(([of, rules]) => [of, JSON.stringify(rules)]),
    ),
    hooks: Object.fromEntries(hooks.map((hook) => [hook.id, projectedHookText(hook)])),
    used: Object.fromEntries(used.map(({ month, checks }) => [month, String(checks)])),
    keyUsed: Object.fromEntries(
      keyUsed.map(({ month, keyId, checks }) => [`${month}:${keyId}`, String(checks)]),
    ),
    credentials: Object.fromEntries(credentials.map(({ name, status }) => [name, status])),
    listsVersion: String(listsVersion),
    ...(lists && { lists: listFields(lists) }),
  });
}

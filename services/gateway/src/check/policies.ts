import { type CompiledPolicy, compilePolicy } from '@verdict/domain/policy/compile-policy.js';
import type { Rule } from '@verdict/domain/policy/policy.js';
import { readPoliciesText } from '@verdict/redis-store/policies-text.js';
import { readPolicyRules } from '@verdict/redis-store/policy-rules.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { createSingleFlight } from '@verdict/service-kit/single-flight.js';
import { LRUCache } from 'lru-cache';
import type { ControlPlaneClient } from '../clients/control-plane-client.js';

/** The rules that judge an account's checks, and the versions that the step asks for. */
export interface HeldPolicies {
  readonly text: string;
  readonly live: CompiledPolicy | null;
  /** The live rules or the shadow's ask about the network of the IP. */
  readonly readsNetwork: boolean;
}

export type Policies = ReturnType<typeof createPolicies>;

const RULES_BYTES_MAX = 64 * 1024 * 1024;
/** Functions weigh more than their JSON. */
const WEIGHT = 8;
const NONE: HeldPolicies = { text: '', live: null, readsNetwork: false };

/** Rules by account and version, whose content never changes. */
export function createPolicies(store: AccountStore, controlPlane: Pick<ControlPlaneClient, 'projectPolicy'>) {
  const compiled = new LRUCache<string, CompiledPolicy>({ maxSize: RULES_BYTES_MAX });
  const inOneFlight = createSingleFlight<CompiledPolicy>();
  const keyOf = (accountId: string, version: number) => `${accountId} ${version}`;

  async function load(accountId: string, version: number): Promise<CompiledPolicy> {
    const json =
      (await readPolicyRules(store, accountId, version)) ??
      (await controlPlane.projectPolicy(accountId, version));
    if (json === null) throw new Error(`version ${version} of the policy is nowhere`);
    const policy = compilePolicy(JSON.parse(json) as Rule[]);
    compiled.set(keyOf(accountId, version), policy, { size: json.length * WEIGHT + 1 });
    return policy;
  }

  const versionsOf = (text: string): number[] => {
    const { live, shadow } = readPoliciesText(text);
    return [live, shadow].filter((version) => version !== null);
  };

  function hold(text: string, policies: readonly CompiledPolicy[]): HeldPolicies {
    const [first] = policies;
    return {
      text,
      live: readPoliciesText(text).live === null ? null : (first ?? null),
      readsNetwork: policies.some(({ readsNetwork }) => readsNetwork),
    };
  }

  return {
    /** The rules of these versions, where they are at hand. */
    held(accountId: string, text: string): HeldPolicies | undefined {
      if (text === '') return NONE;
      const policies = versionsOf(text).map((version) => compiled.get(keyOf(accountId, version)));
      return policies.every((policy) => policy !== undefined) ? hold(text, policies) : undefined;
    },
    /** Loads these versions: from Redis, or from the control plane where Redis has lost them. */
    async load(accountId: string, text: string): Promise<HeldPolicies> {
      const policies = await Promise.all(
        versionsOf(text).map((version) => {
          const key = keyOf(accountId, version);
          return compiled.get(key) ?? inOneFlight(key, () => load(accountId, version));
        }),
      ).catch((error) => {
        throw unavailable('policy', error);
      });
      return hold(text, policies);
    },
  };
}

import { call } from '../../api/call.ts';
import type { Rule } from '../../api/policies.ts';

/** Puts a rule before those that are live. */
export async function putRule(rule: Rule): Promise<void> {
  const { live, rules } = await liveRules();
  await goLive(live, [rule, ...rules.filter(({ name }) => name !== rule.name)], rule.name);
}

/** Takes a rule out again; the others stay as they are now. */
export async function takeRuleOut(name: string): Promise<void> {
  const { live, rules } = await liveRules();
  await goLive(
    live,
    rules.filter((rule) => rule.name !== name),
    `Without: ${name}`,
  );
}

async function liveRules(): Promise<{ live: number | null; rules: readonly Rule[] }> {
  const { live } = await call('GET /policies/live/');
  if (live === null) return { live: null, rules: [] };
  const { policy } = await call('GET /policies/:version/', { params: { version: String(live.version) } });
  return { live: live.version, rules: policy.rules };
}

/** Refused if somebody else changed the policy meanwhile. */
async function goLive(expect: number | null, rules: readonly Rule[], note: string): Promise<void> {
  const version =
    rules.length === 0 ? null : (await call('POST /policies/', { body: { rules, note } })).policy.version;
  await call('PUT /policies/live/', { body: { version, expect } });
}

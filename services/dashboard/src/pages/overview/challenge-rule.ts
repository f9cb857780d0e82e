import { call } from '../../api/call.ts';
import type { Rule } from '../../api/policies.ts';

/** Kinds that rules can ask about; networks and mailboxes are put on the block list. */
const FIELDS = {
  as: { field: 'ip.asn', op: 'eq' },
  domain: { field: 'domain', op: 'eq' },
  mail_host: { field: 'mail.operator', op: 'eq' },
} as const;
export type ChallengedKind = keyof typeof FIELDS;

export const isChallenged = (kind: string): kind is ChallengedKind => kind in FIELDS;

/** The name tells the rule of a card from those that people wrote. */
export const challengeName = (value: string): string => `Challenge ${value.slice(0, 60)} for 24 h`;

/** Puts a rule with an end before those that are live. */
export async function challenge(kind: ChallengedKind, value: string, endsAt: string): Promise<void> {
  const { live, rules } = await liveRules();
  const name = challengeName(value);
  const rule: Rule = {
    name,
    when: { all: [{ ...FIELDS[kind], value }] },
    then: { at_least: 'challenge' },
    ends_at: endsAt,
  };
  await goLive(live, [rule, ...rules.filter((one) => one.name !== name)], name);
}

/** Takes the rule out again; the others stay as they are now. */
export async function endChallenge(value: string): Promise<void> {
  const { live, rules } = await liveRules();
  const name = challengeName(value);
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

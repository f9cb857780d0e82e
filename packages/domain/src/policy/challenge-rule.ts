import type { BurstKind } from '../check-groups.js';
import type { Rule } from './policy.js';

/** Fields of the kinds that rules can ask about; of a mailbox they cannot. */
const FIELDS = {
  network: 'ip.network',
  as: 'ip.asn',
  domain: 'domain',
  shape: 'domain.shape',
  mail_host: 'mail.operator',
} as const satisfies Record<Exclude<BurstKind, 'mailbox'>, string>;
export type ChallengedKind = keyof typeof FIELDS;

const NOT_FREE = { field: 'signals.free_provider', op: 'eq', value: false } as const;

const VALUE_CHARS = 60;

/** The name tells the rule of an attack or a proposal from those that people wrote. */
export const challengeName = (value: string, isForDay: boolean): string =>
  `Challenge ${value.slice(0, VALUE_CHARS)}${isForDay ? ' for 24 h' : ''}`;

/** A rule that challenges what checks have in common, for a day where it has an end. */
export function challengeRule(kind: ChallengedKind, value: string, endsAt?: string): Rule {
  const condition = { field: FIELDS[kind], op: 'eq', value };
  return {
    name: challengeName(value, endsAt !== undefined),
    // A free provider has the shape of others and is none of them.
    when: { all: kind === 'shape' ? [condition, NOT_FREE] : [condition] },
    then: { at_least: 'challenge' },
    ...(endsAt !== undefined && { ends_at: endsAt }),
  };
}

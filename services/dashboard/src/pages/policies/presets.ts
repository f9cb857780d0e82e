import type { Rule } from '../../api/policies.ts';
import { endOf, minuteOf } from './end-time.ts';

export interface Preset {
  readonly name: string;
  readonly text: string;
  readonly rules: readonly Rule[];
  /** Its rules end so long after they are added. */
  readonly hours?: number;
}

const HOUR_MS = 3_600_000;

/** The rules of a preset that is added now. */
export function rulesOfPreset({ rules, hours }: Preset, now: number): readonly Rule[] {
  const ends_at = hours && endOf(minuteOf(new Date(now + hours * HOUR_MS).toISOString()));
  return ends_at ? rules.map((rule) => ({ ...rule, ends_at })) : rules;
}

const is = (flag: string, value = true) => ({ field: `signals.${flag}`, op: 'eq', value });
const seen = (what: string, count: number) => ({ field: `seen.${what}`, op: 'gte', value: count });

/** Rules to begin with, for four wishes that come up again and again. */
export const PRESETS: readonly Preset[] = [
  {
    name: 'Business addresses only',
    text: 'Blocks free providers, forwarding services and disposable domains.',
    rules: [
      {
        name: 'Business addresses only',
        when: { any: [is('free_provider'), is('relay'), is('disposable_email')] },
        then: { exactly: 'block' },
      },
    ],
  },
  {
    name: 'One account per mailbox',
    text: 'Sends a second spelling of the same mailbox to review.',
    rules: [
      { name: 'One account per mailbox', when: { all: [seen('mailbox', 2)] }, then: { at_least: 'review' } },
    ],
  },
  {
    name: 'Relays welcome',
    text: 'Allows Hide My Email and similar forwarding services.',
    rules: [
      {
        name: 'Relays welcome',
        when: { all: [is('relay'), is('disposable_email', false)] },
        then: { at_most: 'allow' },
      },
    ],
  },
  {
    name: 'Strict during an attack',
    text: 'Challenges everything doubtful and reviews bursts, VPNs and Tor. Ends after 24 hours.',
    hours: 24,
    rules: [
      {
        name: 'Attack: bursts and hidden networks',
        when: {
          any: [
            seen('mailbox', 2),
            seen('shape', 2),
            seen('ip', 3),
            { field: 'ip.kind', op: 'in', value: ['tor', 'vpn', 'hosting'] },
          ],
        },
        then: { at_least: 'review' },
      },
      {
        name: 'Attack: any doubt',
        when: { any: [{ field: 'score', op: 'gte', value: 10 }, is('free_provider'), is('relay')] },
        then: { at_least: 'challenge' },
      },
    ],
  },
];

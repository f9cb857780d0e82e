import type { Rule } from '../../api/policies.ts';

export interface Preset {
  readonly name: string;
  readonly text: string;
  readonly rules: readonly Rule[];
  /** Meant for some hours: its note says until when. */
  readonly ends?: true;
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
    text: 'Challenges everything doubtful and reviews bursts, VPNs and Tor. You choose when to review it.',
    ends: true,
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

import { signal } from './signal.js';

export const relayDomain = signal({
  code: 'RELAY_DOMAIN',
  kind: 'soft',
  points: 20,
  why: 'A real person behind an alias: worth knowing, not worth refusing',
  flag: 'relay',
  examples: [{ email: 'anna@duck.com', mail: 'not asked', factors: 'RELAY_DOMAIN 20' }],
  ofDomain: ({ kind }) =>
    kind === 'relay' ? 'The address belongs to an email relay or alias service' : undefined,
});

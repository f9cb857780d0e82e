import { signal } from './signal.js';

export const mxUnroutable = signal({
  code: 'MX_UNROUTABLE',
  kind: 'hard',
  points: 60,
  why: 'Mail servers at localhost or in private ranges: broken or parked, seldom hostile',
  examples: [
    {
      email: 'bob@parked-lan.net',
      mail: { kind: 'mx', hosts: ['mx.parked-lan.net'], addresses: [], routable: false },
      factors: 'MX_UNROUTABLE 60',
    },
  ],
  ofDomain: ({ outcome }) =>
    outcome?.kind === 'mx' && !outcome.routable
      ? 'The mail servers of the domain have unreachable addresses'
      : undefined,
});

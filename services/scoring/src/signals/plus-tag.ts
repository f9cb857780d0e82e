import { signal } from './signal.js';

export const plusTag = signal({
  code: 'PLUS_TAG',
  kind: 'soft',
  points: 5,
  why: 'Legitimate, but also makes many accounts from one mailbox',
  flag: 'plus_tag',
  examples: [{ email: 'jane+shop@gmail.com', mail: 'not asked', factors: 'FREE_PROVIDER 5, PLUS_TAG 5' }],
  ofMailbox: (mailbox) => (mailbox.plusTag ? 'The mailbox name carries a +tag' : undefined),
});

import { signal } from './signal.js';

export const freeProvider = signal({
  code: 'FREE_PROVIDER',
  kind: 'soft',
  points: 5,
  why: 'Informational, hardly a risk',
  flag: 'free_provider',
  examples: [{ email: 'jane.doe@gmail.com', mail: 'not asked', factors: 'FREE_PROVIDER 5' }],
  ofDomain: ({ free }) => (free ? 'The address uses a free consumer email provider' : undefined),
});

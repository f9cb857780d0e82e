import type { Review } from '../../api/reviews.ts';

export const REVIEW_TEXTS = {
  empty: 'Checks with a score from 55 to 79 wait here until somebody says how they turned out.',
  claims: { none: '', own: 'You', other: 'Someone else' } satisfies Record<Review['claim'], string>,
  keys: 'Keys: G genuine, A abuse, L allow, B block, J next, K previous.',
  taken: 'Someone else is reviewing this check.',
  gone: 'This check has its outcome already, or the person was erased.',
};

import type { Hook } from '../../api/hooks.ts';

/** The decisions that a hook refuses; Clerk reads no answer. */
export const refusalsOf = ({ kind, refuse }: Hook): string =>
  kind === 'clerk' ? 'reports only' : refuse.join(', ');

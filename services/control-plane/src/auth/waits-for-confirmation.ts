import type { Route, Tag } from '@verdict/contracts/routes/route.js';

/** Kept for an account in stores that everybody shares. */
const KEPT: readonly Tag[] = ['lists', 'policies', 'jobs'];

/** Whether a route waits, where mail is sent, until somebody of the account has confirmed an address. */
export const waitsForConfirmation = ({ tag, takes }: Pick<Route, 'tag' | 'takes'>): boolean =>
  takes.allowance === 'changes' && KEPT.includes(tag);

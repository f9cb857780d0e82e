import type { Body, Reply } from './call.ts';
import { getQuery } from './get-query.ts';

export type Me = Reply<'GET /auth/users/me/'>;
/** The password once more, and a code where two-factor authentication is on. */
export type Proof = Body<'DELETE /auth/users/me/'>;

export const ME = ['me'] as const;

export const meQuery = { ...getQuery(ME, 'GET /auth/users/me/'), staleTime: 60_000 };

export const SECOND_FACTOR = ['second-factor'] as const;

export const secondFactorQuery = getQuery(SECOND_FACTOR, 'GET /auth/second_factor/');

export const authSettingsQuery = {
  ...getQuery(['auth-settings'], 'GET /auth/settings/'),
  staleTime: Number.POSITIVE_INFINITY,
};

export const SESSIONS = ['sessions'] as const;

export const sessionsQuery = getQuery(SESSIONS, 'GET /auth/sessions/');

export const accountSettingsQuery = getQuery(['account-settings'], 'GET /dashboard/settings/');

import { type Body, call, type Reply } from './call.ts';
import { getQuery } from './get-query.ts';

export type Me = Reply<'GET /auth/users/me/'>;

export const meQuery = { ...getQuery(['me'], 'GET /auth/users/me/'), staleTime: 60_000 };

/** A user, or the word that a mail was sent. */
export const register = (body: Body<'POST /auth/users/'>) => call('POST /auth/users/', { body });

export const activate = (token: string, password: string) =>
  call('POST /auth/users/activation/', { body: { token, password } });

export const askForReset = (email: string) => call('POST /auth/users/reset_password/', { body: { email } });

export const resetPassword = (token: string, next: string) =>
  call('POST /auth/users/reset_password_confirm/', { body: { token, new_password: next } });

export const askToConfirm = () => call('POST /auth/users/me/confirmation/');

export const confirmAddress = (token: string) => call('POST /auth/users/confirmation/', { body: { token } });

export const setName = (name: string | null) => call('PATCH /auth/users/me/', { body: { name } });

/** The user, or the word that a link was sent to the new address. */
export const changeEmail = (email: string, proof: Proof) =>
  call('POST /auth/users/me/email/', { body: { email, ...proof } });

export const setPassword = (proof: Proof, next: string) =>
  call('POST /auth/users/set_password/', { body: { ...proof, new_password: next } });

/** The password once more, and a code of whoever has a second factor. */
export interface Proof {
  readonly current_password: string;
  readonly otp?: string;
}

export const deleteAccount = (proof: Proof) => call('DELETE /auth/users/me/', { body: proof });

export const SECOND_FACTOR = ['second-factor'] as const;

export const secondFactorQuery = getQuery(SECOND_FACTOR, 'GET /auth/second_factor/');

export const offerSecondFactor = (proof: Proof) => call('POST /auth/second_factor/', { body: proof });

export const confirmSecondFactor = (otp: string) =>
  call('POST /auth/second_factor/confirm/', { body: { otp } });

export const newRecoveryCodes = (proof: Proof) =>
  call('POST /auth/second_factor/recovery_codes/', { body: proof });

export const removeSecondFactor = (proof: Proof) => call('DELETE /auth/second_factor/', { body: proof });

export const authSettingsQuery = {
  ...getQuery(['auth-settings'], 'GET /auth/settings/'),
  staleTime: Number.POSITIVE_INFINITY,
};

export const SESSIONS = ['sessions'] as const;

export const sessionsQuery = getQuery(SESSIONS, 'GET /auth/sessions/');

export const endSession = (id: string) => call('DELETE /auth/sessions/:id/', { params: { id } });

export const endOtherSessions = () => call('DELETE /auth/sessions/');

export const accountSettingsQuery = getQuery(['account-settings'], 'GET /dashboard/settings/');

export const changeAccountSettings = (body: Body<'PATCH /dashboard/settings/'>) =>
  call('PATCH /dashboard/settings/', { body });

import type {
  EndSessionsReplySchema,
  MailedReplySchema,
  RecoveryCodesReply,
  RegisterBody,
  SecondFactorOfferReply,
  SecondFactorReply,
  SessionsReplySchema,
  SettingsReply,
  UserReplySchema,
} from '@verdict/contracts/dashboard/auth-api.js';
import type { AccountSettingsBody, AccountSettingsReply } from '@verdict/contracts/dashboard/settings-api.js';
import type { Static } from 'typebox';
import { getQuery } from './get-query.ts';
import { request } from './request.ts';

export type Me = Static<typeof UserReplySchema>;

export const meQuery = { ...getQuery<Me>(['me'], '/auth/users/me/'), staleTime: 60_000 };

/** A user, or the word that a mail was sent. */
export const register = (body: RegisterBody) =>
  request<Me | Static<typeof MailedReplySchema>>('/auth/users/', { method: 'POST', json: body });

export const activate = (token: string, password: string) =>
  request<Me>('/auth/users/activation/', { method: 'POST', json: { token, password } });

export const askForReset = (email: string) =>
  request('/auth/users/reset_password/', { method: 'POST', json: { email } });

export const resetPassword = (token: string, next: string) =>
  request('/auth/users/reset_password_confirm/', { method: 'POST', json: { token, new_password: next } });

export const askToConfirm = () => request('/auth/users/me/confirmation/', { method: 'POST' });

export const confirmAddress = (token: string) =>
  request('/auth/users/confirmation/', { method: 'POST', json: { token } });

export const setName = (name: string | null) =>
  request<Me>('/auth/users/me/', { method: 'PATCH', json: { name } });

/** The user, or the word that a link was sent to the new address. */
export const changeEmail = (email: string, proof: Proof) =>
  request<Me | Static<typeof MailedReplySchema>>('/auth/users/me/email/', {
    method: 'POST',
    json: { email, ...proof },
  });

export const setPassword = (proof: Proof, next: string) =>
  request('/auth/users/set_password/', { method: 'POST', json: { ...proof, new_password: next } });

/** The password once more, and a code of whoever has a second factor. */
export interface Proof {
  readonly current_password: string;
  readonly otp?: string;
}

export const deleteAccount = (proof: Proof) => request('/auth/users/me/', { method: 'DELETE', json: proof });

export const SECOND_FACTOR = ['second-factor'] as const;

export const secondFactorQuery = getQuery<SecondFactorReply>(SECOND_FACTOR, '/auth/second_factor/');

export const offerSecondFactor = (proof: Proof) =>
  request<SecondFactorOfferReply>('/auth/second_factor/', { method: 'POST', json: proof });

export const confirmSecondFactor = (otp: string) =>
  request<RecoveryCodesReply>('/auth/second_factor/confirm/', { method: 'POST', json: { otp } });

export const newRecoveryCodes = (proof: Proof) =>
  request<RecoveryCodesReply>('/auth/second_factor/recovery_codes/', { method: 'POST', json: proof });

export const removeSecondFactor = (proof: Proof) =>
  request('/auth/second_factor/', { method: 'DELETE', json: proof });

export const authSettingsQuery = {
  ...getQuery<SettingsReply>(['auth-settings'], '/auth/settings/'),
  staleTime: Number.POSITIVE_INFINITY,
};

export const SESSIONS = ['sessions'] as const;

export const sessionsQuery = getQuery<Static<typeof SessionsReplySchema>>(SESSIONS, '/auth/sessions/');

export const endSession = (id: string) => request(`/auth/sessions/${id}/`, { method: 'DELETE' });

export const endOtherSessions = () =>
  request<Static<typeof EndSessionsReplySchema>>('/auth/sessions/', { method: 'DELETE' });

const ACCOUNT_SETTINGS = '/dashboard/settings/';

export const accountSettingsQuery = getQuery<AccountSettingsReply>(['account-settings'], ACCOUNT_SETTINGS);

export const changeAccountSettings = (json: AccountSettingsBody) =>
  request<AccountSettingsReply>(ACCOUNT_SETTINGS, { method: 'PATCH', json });

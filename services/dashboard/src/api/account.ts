import { queryOptions } from '@tanstack/react-query';
import type {
  EndSessionsReplySchema,
  RegisterBody,
  SessionsReplySchema,
  SettingsReply,
  UserReplySchema,
} from '@verdict/contracts/dashboard/auth-api.js';
import type { Static } from 'typebox';
import { request } from './request.ts';

export type Me = Static<typeof UserReplySchema>;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => request<Me>('/auth/users/me/', { signal }),
  staleTime: 60_000,
});

export const register = (body: RegisterBody) => request<Me>('/auth/users/', { method: 'POST', json: body });

export const setPassword = (current: string, next: string) =>
  request('/auth/users/set_password/', {
    method: 'POST',
    json: { current_password: current, new_password: next },
  });

export const authSettingsQuery = queryOptions({
  queryKey: ['auth-settings'],
  queryFn: ({ signal }) => request<SettingsReply>('/auth/settings/', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const SESSIONS = ['sessions'] as const;

export const sessionsQuery = queryOptions({
  queryKey: SESSIONS,
  queryFn: ({ signal }) => request<Static<typeof SessionsReplySchema>>('/auth/sessions/', { signal }),
});

export const endSession = (id: string) => request(`/auth/sessions/${id}/`, { method: 'DELETE' });

export const endOtherSessions = () =>
  request<Static<typeof EndSessionsReplySchema>>('/auth/sessions/', { method: 'DELETE' });

import type {
  ApiKeyView,
  CreateKeyBody,
  KeyCreatedSchema,
  KeyReplySchema,
  KeyRolledSchema,
  KeysReplySchema,
  UpdateKeyBody,
} from '@verdict/contracts/dashboard/keys-api.js';
import type { Static } from 'typebox';
import { getQuery } from './get-query.ts';
import { request } from './request.ts';

export type ApiKey = ApiKeyView;
export type CreatedKey = Static<typeof KeyCreatedSchema>;
export type RolledKey = Static<typeof KeyRolledSchema>;

export const KEYS = ['keys'] as const;

/** Revoked ones too: logs and usage still speak of them. */
export const keysQuery = getQuery<Static<typeof KeysReplySchema>>(KEYS, '/dashboard/keys/', {
  status: 'all',
});

export const createKey = (key: CreateKeyBody) =>
  request<CreatedKey>('/dashboard/keys/', { method: 'POST', json: key });

export const updateKey = (id: string, change: UpdateKeyBody) =>
  request<Static<typeof KeyReplySchema>>(`/dashboard/keys/${id}/`, { method: 'PATCH', json: change });

export const rollKey = (id: string, overlapSeconds: number) =>
  request<RolledKey>(`/dashboard/keys/${id}/roll/`, {
    method: 'POST',
    json: { overlap_seconds: overlapSeconds },
  });

export const revokeKey = (id: string) => request(`/dashboard/keys/${id}/`, { method: 'DELETE' });

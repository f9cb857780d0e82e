import type { ApiKeyView } from '@verdict/contracts/dashboard/keys-api.js';
import { type Body, call, type Reply } from './call.ts';
import { getQuery } from './get-query.ts';

export type ApiKey = ApiKeyView;
export type CreatedKey = Reply<'POST /dashboard/keys/'>;
export type RolledKey = Reply<'POST /dashboard/keys/:id/roll/'>;

export const KEYS = ['keys'] as const;

/** Revoked ones too: logs and usage still speak of them. */
export const keysQuery = getQuery(KEYS, 'GET /dashboard/keys/', { query: { status: 'all' } });

export const createKey = (body: Body<'POST /dashboard/keys/'>) => call('POST /dashboard/keys/', { body });

export const updateKey = (id: string, body: Body<'PATCH /dashboard/keys/:id/'>) =>
  call('PATCH /dashboard/keys/:id/', { params: { id }, body });

export const rollKey = (id: string, overlapSeconds: number) =>
  call('POST /dashboard/keys/:id/roll/', { params: { id }, body: { overlap_seconds: overlapSeconds } });

export const revokeKey = (id: string) => call('DELETE /dashboard/keys/:id/', { params: { id } });

import type { ApiKeyView } from '@verdict/contracts/dashboard/keys-api.js';
import type { Reply } from './call.ts';
import { getQuery } from './get-query.ts';

export type ApiKey = ApiKeyView;

export const KEYS = ['keys'] as const;

/** Revoked ones too: logs and usage still speak of them. */
export const keysQuery = getQuery(KEYS, 'GET /dashboard/keys/', { query: { status: 'all' } });

export type KeyNetwork = Reply<'GET /dashboard/keys/:id/networks/'>['networks'][number];

export const keyNetworksQuery = (id: string) =>
  getQuery([...KEYS, id, 'networks'], 'GET /dashboard/keys/:id/networks/', { params: { id } });

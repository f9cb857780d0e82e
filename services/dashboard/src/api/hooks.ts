import { queryOptions } from '@tanstack/react-query';
import type { HookDeliveryView, HookView } from '@verdict/contracts/dashboard/hooks-api.js';
import { call, callWith } from './call.ts';
import { getQuery } from './get-query.ts';
import { send } from './send.ts';

export type Hook = HookView;
export type HookDelivery = HookDeliveryView;

export const HOOKS = ['hooks'] as const;

export const hooksQuery = getQuery(HOOKS, 'GET /dashboard/hooks/');

const WATCH_MS = 5_000;

export const hookDeliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: [...HOOKS, id, 'deliveries'],
    queryFn: ({ signal }) => callWith('GET /dashboard/hooks/:id/deliveries/', signal, { params: { id } }),
    // A provider's own test arrives while the reader watches.
    refetchInterval: WATCH_MS,
  });

interface TestAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends the provider's documented request to the hook, as the provider would. */
export async function testHook(id: string, email: string): Promise<TestAnswer> {
  const { url, headers, body } = await call('POST /dashboard/hooks/:id/test/', {
    params: { id },
    body: { email },
  });
  const response = await send(url, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

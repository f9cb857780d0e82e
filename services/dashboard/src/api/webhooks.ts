import { queryOptions } from '@tanstack/react-query';
import type { WebhookDeliveryView, WebhookEndpointView } from '@verdict/contracts/dashboard/webhooks-api.js';
import type { WEBHOOK_TEST_EVENT, WebhookEventType } from '@verdict/contracts/webhook-events.js';
import { callWith, type QueryFor, type Reply } from './call.ts';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';

export type { WebhookEventType };
export type TestEventType = typeof WEBHOOK_TEST_EVENT;
export type WebhookEndpoint = WebhookEndpointView;
export type WebhookDelivery = WebhookDeliveryView;
export type DeliveryDetail = Reply<'GET /webhooks/deliveries/:id/'>;
export type DeliveriesFilter = Pick<QueryFor<'GET /webhooks/deliveries/'>, 'endpoint' | 'status' | 'event'>;

export const WEBHOOKS = ['webhooks'] as const;
const ENDPOINTS = [...WEBHOOKS, 'endpoints'] as const;
/** Refetches pending deliveries until they have arrived or failed. */
const PENDING_MS = 2_000;

export const endpointsQuery = getQuery(ENDPOINTS, 'GET /webhooks/endpoints/');

/** Due within seconds: one that waits for its next try is in no hurry. */
const isUnderWay = ({ status, next_attempt_at: next }: WebhookDelivery): boolean =>
  status === 'pending' && (next === null || new Date(next).getTime() < Date.now() + 10_000);

export const deliveriesQuery = (filter: DeliveriesFilter) =>
  pagedQuery(
    [...WEBHOOKS, 'deliveries', filter],
    'GET /webhooks/deliveries/',
    'deliveries',
    { query: filter },
    (pages) => (pages.some(({ deliveries }) => deliveries.some(isUnderWay)) ? PENDING_MS : false),
  );

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS, 'delivery', id],
    queryFn: ({ signal }) => callWith('GET /webhooks/deliveries/:id/', signal, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.delivery) ? PENDING_MS : false),
  });

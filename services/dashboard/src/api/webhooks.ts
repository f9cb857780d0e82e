import { queryOptions } from '@tanstack/react-query';
import type {
  CreateEndpointBodySchema,
  DeliveriesQuerySchema,
  DeliveriesReplySchema,
  DeliveryReplySchema,
  EndpointCreatedSchema,
  EndpointReplySchema,
  EndpointRolledSchema,
  EndpointsReplySchema,
  ReplayReplySchema,
  RetryReplySchema,
  TestEndpointReplySchema,
  UpdateEndpointBodySchema,
  WebhookDeliveryView,
  WebhookEndpointView,
} from '@verdict/contracts/dashboard/webhooks-api.js';
import type { WEBHOOK_TEST_EVENT, WebhookEventType } from '@verdict/contracts/webhook-events.js';
import type { Static } from 'typebox';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';
import { request } from './request.ts';

export type { WebhookEventType };
export type TestEventType = typeof WEBHOOK_TEST_EVENT;
export type WebhookEndpoint = WebhookEndpointView;
export type WebhookDelivery = WebhookDeliveryView;
export type DeliveryDetail = Static<typeof DeliveryReplySchema>;
type CreateEndpoint = Static<typeof CreateEndpointBodySchema>;
type UpdateEndpoint = Static<typeof UpdateEndpointBodySchema>;
type DeliveriesPage = Static<typeof DeliveriesReplySchema>;
export type DeliveriesFilter = Pick<Static<typeof DeliveriesQuerySchema>, 'endpoint' | 'status' | 'event'>;

export const WEBHOOKS = ['webhooks'] as const;
const ENDPOINTS = [...WEBHOOKS, 'endpoints'] as const;
/** Refetches pending deliveries until they have arrived or failed. */
const PENDING_MS = 2_000;

export const endpointsQuery = getQuery<Static<typeof EndpointsReplySchema>>(
  ENDPOINTS,
  '/webhooks/endpoints/',
);

/** Due within seconds: one that waits for its next try is in no hurry. */
const isUnderWay = ({ status, next_attempt_at: next }: WebhookDelivery): boolean =>
  status === 'pending' && (next === null || new Date(next).getTime() < Date.now() + 10_000);

export const deliveriesQuery = (filter: DeliveriesFilter) =>
  pagedQuery<DeliveriesPage>([...WEBHOOKS, 'deliveries', filter], '/webhooks/deliveries/', filter, (pages) =>
    pages.some(({ deliveries }) => deliveries.some(isUnderWay)) ? PENDING_MS : false,
  );

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS, 'delivery', id],
    queryFn: ({ signal }) => request<DeliveryDetail>(`/webhooks/deliveries/${id}/`, { signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.delivery) ? PENDING_MS : false),
  });

export const createEndpoint = (endpoint: CreateEndpoint) =>
  request<Static<typeof EndpointCreatedSchema>>('/webhooks/endpoints/', {
    method: 'POST',
    json: endpoint,
  });

export const updateEndpoint = (id: string, change: UpdateEndpoint) =>
  request<Static<typeof EndpointReplySchema>>(`/webhooks/endpoints/${id}/`, {
    method: 'PATCH',
    json: change,
  });

export const deleteEndpoint = (id: string) => request(`/webhooks/endpoints/${id}/`, { method: 'DELETE' });

export const rollEndpoint = (id: string, overlapSeconds: number) =>
  request<Static<typeof EndpointRolledSchema>>(`/webhooks/endpoints/${id}/roll/`, {
    method: 'POST',
    json: { overlap_seconds: overlapSeconds },
  });

export const testEndpoint = (id: string) =>
  request<Static<typeof TestEndpointReplySchema>>(`/webhooks/endpoints/${id}/test/`, { method: 'POST' });

export const replayEvents = (id: string, time: { readonly from: string; readonly to: string }) =>
  request<Static<typeof ReplayReplySchema>>(`/webhooks/endpoints/${id}/replay/`, {
    method: 'POST',
    json: time,
  });

export const retryDelivery = (id: string) =>
  request<Static<typeof RetryReplySchema>>(`/webhooks/deliveries/${id}/retry/`, { method: 'POST' });

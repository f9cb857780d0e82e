import { queryOptions } from '@tanstack/react-query';
import type {
  InvoiceAddressBody,
  InvoiceAddressReplySchema,
  InvoiceSchema,
  InvoicesReplySchema,
  StatementReplySchema,
  StatementSchema,
  StatementsReplySchema,
  SubscriptionReplySchema,
} from '@verdict/contracts/dashboard/billing-api.js';
import type { Static } from 'typebox';
import { request } from './request.ts';

export type Subscription = Static<typeof SubscriptionReplySchema>;
export type Statement = Static<typeof StatementSchema>;
export type Invoice = Static<typeof InvoiceSchema>;

export const BILLING = ['billing'] as const;

export const subscriptionQuery = queryOptions({
  queryKey: [...BILLING, 'subscription'],
  queryFn: ({ signal }) => request<Subscription>('/billing/subscription/', { signal }),
});

export const statementsQuery = queryOptions({
  queryKey: [...BILLING, 'statements'],
  queryFn: ({ signal }) => request<Static<typeof StatementsReplySchema>>('/billing/statements/', { signal }),
});

export const invoicesQuery = queryOptions({
  queryKey: [...BILLING, 'invoices'],
  queryFn: ({ signal }) => request<Static<typeof InvoicesReplySchema>>('/billing/invoices/', { signal }),
});

export const statementQuery = (month: string) =>
  queryOptions({
    queryKey: [...BILLING, 'statements', month],
    queryFn: ({ signal }) =>
      request<Static<typeof StatementReplySchema>>(`/billing/statements/${month}/`, { signal }),
  });

export const invoiceAddressQuery = queryOptions({
  queryKey: [...BILLING, 'invoice-address'],
  queryFn: ({ signal }) =>
    request<Static<typeof InvoiceAddressReplySchema>>('/billing/invoice-address/', { signal }),
});

export const setInvoiceAddress = (address: InvoiceAddressBody) =>
  request('/billing/invoice-address/', { method: 'PUT', json: address });

export const changePlan = (plan: string) =>
  request<Subscription>('/billing/subscription/', { method: 'PUT', json: { plan } });

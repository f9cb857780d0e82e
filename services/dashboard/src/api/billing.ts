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
import { getQuery } from './get-query.ts';
import { request } from './request.ts';

export type Subscription = Static<typeof SubscriptionReplySchema>;
export type Statement = Static<typeof StatementSchema>;
export type Invoice = Static<typeof InvoiceSchema>;

export const BILLING = ['billing'] as const;

export const subscriptionQuery = getQuery<Subscription>(
  [...BILLING, 'subscription'],
  '/billing/subscription/',
);

export const statementsQuery = getQuery<Static<typeof StatementsReplySchema>>(
  [...BILLING, 'statements'],
  '/billing/statements/',
);

export const invoicesQuery = getQuery<Static<typeof InvoicesReplySchema>>(
  [...BILLING, 'invoices'],
  '/billing/invoices/',
);

export const statementQuery = (month: string) =>
  getQuery<Static<typeof StatementReplySchema>>(
    [...BILLING, 'statements', month],
    `/billing/statements/${month}/`,
  );

export const invoiceAddressQuery = getQuery<Static<typeof InvoiceAddressReplySchema>>(
  [...BILLING, 'invoice-address'],
  '/billing/invoice-address/',
);

export const setInvoiceAddress = (address: InvoiceAddressBody) =>
  request('/billing/invoice-address/', { method: 'PUT', json: address });

export const changePlan = (plan: string) =>
  request<Subscription>('/billing/subscription/', { method: 'PUT', json: { plan } });

import type { InvoiceSchema, StatementSchema } from '@verdict/contracts/dashboard/billing-api.js';
import type { Static } from 'typebox';
import type { Reply } from './call.ts';
import { getQuery } from './get-query.ts';

export type Subscription = Reply<'GET /billing/subscription/'>;
export type Upcoming = Reply<'GET /billing/upcoming/'>['upcoming'];
export type Statement = Static<typeof StatementSchema>;
export type Invoice = Static<typeof InvoiceSchema>;

export const BILLING = ['billing'] as const;

export const subscriptionQuery = getQuery([...BILLING, 'subscription'], 'GET /billing/subscription/');

export const upcomingQuery = getQuery([...BILLING, 'upcoming'], 'GET /billing/upcoming/');

export const spendingQuery = getQuery([...BILLING, 'spending'], 'GET /billing/spending/');

export const statementsQuery = getQuery([...BILLING, 'statements'], 'GET /billing/statements/');

export const invoicesQuery = getQuery([...BILLING, 'invoices'], 'GET /billing/invoices/');

export const statementQuery = (month: string) =>
  getQuery([...BILLING, 'statements', month], 'GET /billing/statements/:month/', { params: { month } });

export const invoiceAddressQuery = getQuery([...BILLING, 'invoice-address'], 'GET /billing/invoice-address/');

import {
  InvoiceAddressBodySchema,
  InvoiceAddressReplySchema,
} from '@verdict/contracts/dashboard/billing-api.js';
import { readInvoiceAddress, setInvoiceAddress } from '@verdict/db/billing/invoice-address.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';

export function invoiceAddressRoutes(app: ControlPlaneApp, { db, createId }: Dependencies): void {
  app.get(
    '/billing/invoice-address/',
    {
      schema: {
        tags: ['billing'],
        summary: 'Whom invoices are made out to',
        description: 'A field that was not set is null.',
        response: { 200: InvoiceAddressReplySchema, ...errorReplies(401) },
      },
    },
    async ({ caller }) => ({
      success: true as const,
      ...(await readInvoiceAddress(db, caller.account.id)),
    }),
  );

  app.put(
    '/billing/invoice-address/',
    {
      schema: {
        tags: ['billing'],
        summary: 'Change whom invoices are made out to; issued invoices keep their address',
        description: 'The next invoice uses it.',
        body: InvoiceAddressBodySchema,
        response: { 200: InvoiceAddressReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { id } = request.caller.account;
      const audit = auditOf(createId, request, { action: 'billing.address_set', target: id });
      await setInvoiceAddress(db, id, request.body, audit);
      return { success: true as const, ...request.body };
    },
  );
}

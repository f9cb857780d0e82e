import { BILLING_ROUTES } from '@verdict/contracts/routes/billing-routes.js';
import { readInvoiceAddress, setInvoiceAddress } from '@verdict/db/billing/invoice-address.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';

export function invoiceAddressRoutes(app: ControlPlaneApp, { db, createId }: Dependencies): void {
  attach(app, BILLING_ROUTES.invoiceAddress, async ({ caller }) => ({
    success: true,
    ...(await readInvoiceAddress(db, caller.account.id)),
  }));

  attach(app, BILLING_ROUTES.setInvoiceAddress, async (request) => {
    const { id } = request.caller.account;
    const audit = auditOf(createId, request, { action: 'billing.address_set', target: id });
    await setInvoiceAddress(db, id, request.body, audit);
    return { success: true, ...request.body };
  });
}

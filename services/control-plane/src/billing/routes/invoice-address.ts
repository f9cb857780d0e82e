import { BILLING_ROUTES } from '@verdict/contracts/routes/billing-routes.js';
import { readInvoiceAddress, setInvoiceAddress } from '@verdict/db/billing/invoice-address.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { planOf } from '../../http/plan-of.js';
import { recipientFault } from '../recipient-fault.js';

export function invoiceAddressRoutes(app: ControlPlaneApp, { db, createId, plans }: Dependencies): void {
  attach(app, BILLING_ROUTES.invoiceAddress, async ({ caller }) => ({
    success: true,
    ...(await readInvoiceAddress(db, caller.account.id)),
  }));

  attach(app, BILLING_ROUTES.setInvoiceAddress, async (request) => {
    const { account } = request.caller;
    const recipient = { ...(await readInvoiceAddress(db, account.id)), ...request.body };
    const { priceMonth } = await planOf(plans, account);
    const fault = recipientFault(recipient, { isInvoiced: priceMonth > 0 });
    if (fault) throw invalidField(fault.field, fault.message);
    const audit = auditOf(createId, request, { action: 'billing.address_set', target: account.id });
    await setInvoiceAddress(db, account.id, recipient, audit);
    return { success: true, ...recipient };
  });
}

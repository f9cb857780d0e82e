import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';

/** Why there is no XML of an invoice, in one sentence; null when there is one. EN 16931 wants what older documents lack. */
export function xmlObstacle({ tax_rate, content: { seller, buyer } }: InvoiceDocument): string | null {
  if (!seller.country) return 'The XML needs the country of the seller, which this invoice does not have.';
  if (!buyer.country) return 'The XML needs the country of the customer, which this invoice does not have.';
  if (tax_rate > 0 && !seller.tax_id)
    return 'The XML needs the tax id of the seller, which this invoice does not have.';
  return null;
}

import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { xmlObstacle } from '@verdict/invoicing/xml-obstacle.js';

export const FILE_FORMATS = ['html', 'pdf', 'xml'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** An invoice as a file. Renderers are loaded only when needed. */
export async function drawInvoice(
  invoice: InvoiceDocument,
  format: FileFormat,
): Promise<string | Uint8Array> {
  if (format === 'xml') {
    const obstacle = xmlObstacle(invoice);
    if (obstacle) throw new Error(obstacle);
    return (await import('@verdict/invoicing/invoice-xml.js')).invoiceXml(invoice);
  }
  if (format === 'pdf') return (await import('@verdict/invoicing/invoice-pdf.js')).invoicePdf(invoice);
  return (await import('@verdict/invoicing/invoice-html.js')).invoiceHtml(invoice);
}

import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { formatAmount } from '@verdict/domain/money.js';

/** The value-added tax of an invoice, in the terms of EN 16931. */
export interface Vat {
  /** UNTDID 5305: S standard rate, AE reverse charge, G export, E exempt, O not subject to VAT. */
  readonly category: 'S' | 'AE' | 'G' | 'E' | 'O';
  /** Per cent; null where the category has none. */
  readonly rate: string | null;
  /** Why there is no tax. */
  readonly reason: string | null;
}

const EU = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** A VAT id without blanks and points; null for other tax numbers, which do not begin with a country. */
export function vatIdOf(taxId: string | null): string | null {
  const compact = (taxId ?? '').replaceAll(/[\s.-]/g, '');
  return /^[A-Z]{2}[A-Z0-9]/.test(compact) ? compact : null;
}

export function vatOf({ tax_rate, content: { seller, buyer, tax_note } }: InvoiceDocument): Vat {
  if (tax_rate > 0) return { category: 'S', rate: formatAmount(tax_rate, 'EUR', ''), reason: null };
  if (!seller.tax_id) return { category: 'O', rate: null, reason: tax_note ?? 'Not subject to VAT' };
  const category = untaxedCategory(seller, buyer);
  return { category, rate: '0', reason: tax_note ?? (category === 'AE' ? 'Reverse charge' : 'Exempt') };
}

type Parties = InvoiceDocument['content'];

function untaxedCategory(seller: Parties['seller'], buyer: Parties['buyer']): 'AE' | 'G' | 'E' {
  if (!vatIdOf(seller.tax_id) || !EU.has(seller.country ?? '') || seller.country === buyer.country)
    return 'E';
  if (!EU.has(buyer.country ?? '')) return 'G';
  return vatIdOf(buyer.tax_id) ? 'AE' : 'E';
}

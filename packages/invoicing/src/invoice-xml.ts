import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { formatAmount } from '@verdict/domain/money.js';
import type { StatementLine } from '@verdict/domain/statement-line.js';
import { describeLine } from './describe-line.js';
import { paymentOf } from './invoice-rows.js';
import { vatIdOf, vatOf } from './vat-of.js';
import { type XmlElement, xmlOf } from './xml-of.js';

const NAMESPACE = 'urn:un:unece:uncefact:data:standard';
const PIECES = { '@unitCode': 'C62' };

/**
 * An invoice for programs: the European standard EN 16931 in UN/CEFACT's syntax (CII D16B), which ZUGFeRD and Factur-X
 * build on. Only for invoices without an xmlObstacle. The same invoice, the same bytes.
 */
export function invoiceXml(invoice: InvoiceDocument): string {
  const { content, currency, month } = invoice;
  const isCredit = invoice.kind === 'credit_note';
  // A credit note says what it is by its type; its amounts are positive.
  const amount = (minor: number) => formatAmount(isCredit ? -minor : minor, currency, '');
  const { category, rate, reason } = vatOf(invoice);
  const [sellerVatId, buyerVatId] = [vatIdOf(content.seller.tax_id), vatIdOf(content.buyer.tax_id)];
  const payment = paymentOf(invoice).join('\n');
  const root: XmlElement = {
    '@xmlns:rsm': `${NAMESPACE}:CrossIndustryInvoice:100`,
    '@xmlns:ram': `${NAMESPACE}:ReusableAggregateBusinessInformationEntity:100`,
    '@xmlns:udt': `${NAMESPACE}:UnqualifiedDataType:100`,
    'rsm:ExchangedDocumentContext': {
      'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': 'urn:cen.eu:en16931:2017' },
    },
    'rsm:ExchangedDocument': {
      'ram:ID': invoice.number,
      'ram:TypeCode': isCredit ? '381' : '380',
      'ram:IssueDateTime': dateOf(invoice.issued_on),
      'ram:IncludedNote': { 'ram:Content': `Checksum ${invoice.checksum}` },
    },
    'rsm:SupplyChainTradeTransaction': {
      'ram:IncludedSupplyChainTradeLineItem': content.lines.map((line, i) => ({
        'ram:AssociatedDocumentLineDocument': { 'ram:LineID': String(i + 1) },
        'ram:SpecifiedTradeProduct': { 'ram:Name': describeLine(line, currency).description },
        ...priceOf(line, { isCredit, currency }),
        'ram:SpecifiedLineTradeSettlement': {
          'ram:ApplicableTradeTax': {
            'ram:TypeCode': 'VAT',
            'ram:CategoryCode': category,
            'ram:RateApplicablePercent': rate,
          },
          'ram:SpecifiedTradeSettlementLineMonetarySummation': {
            'ram:LineTotalAmount': amount(line.amount),
          },
        },
      })),
      'ram:ApplicableHeaderTradeAgreement': {
        'ram:SellerTradeParty': {
          'ram:ID': invoice.legal_entity,
          ...partyOf(content.seller),
          'ram:SpecifiedTaxRegistration': content.seller.tax_id && {
            'ram:ID': { '@schemeID': sellerVatId ? 'VA' : 'FC', '#': sellerVatId ?? content.seller.tax_id },
          },
        },
        'ram:BuyerTradeParty': {
          'ram:ID': content.buyer.external_ref,
          ...partyOf(content.buyer),
          // The standard forbids one where nothing is subject to VAT.
          'ram:SpecifiedTaxRegistration':
            category !== 'O' && buyerVatId ? { 'ram:ID': { '@schemeID': 'VA', '#': buyerVatId } } : null,
        },
        'ram:BuyerOrderReferencedDocument': content.buyer.po_number
          ? { 'ram:IssuerAssignedID': content.buyer.po_number }
          : null,
      },
      'ram:ApplicableHeaderTradeDelivery': {},
      'ram:ApplicableHeaderTradeSettlement': {
        'ram:InvoiceCurrencyCode': currency,
        'ram:ApplicableTradeTax': {
          'ram:CalculatedAmount': amount(invoice.tax),
          'ram:TypeCode': 'VAT',
          'ram:ExemptionReason': reason,
          'ram:BasisAmount': amount(invoice.subtotal),
          'ram:CategoryCode': category,
          'ram:RateApplicablePercent': rate,
        },
        'ram:BillingSpecifiedPeriod': {
          'ram:StartDateTime': dateOf(`${month}-01`),
          'ram:EndDateTime': dateOf(lastDayOf(month)),
        },
        'ram:SpecifiedTradePaymentTerms': {
          'ram:Description': payment || null,
          'ram:DueDateDateTime': isCredit ? null : dateOf(invoice.due_on),
        },
        'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
          'ram:LineTotalAmount': amount(invoice.subtotal),
          'ram:TaxBasisTotalAmount': amount(invoice.subtotal),
          'ram:TaxTotalAmount': { '@currencyID': currency, '#': amount(invoice.tax) },
          'ram:GrandTotalAmount': amount(invoice.total),
          'ram:DuePayableAmount': amount(invoice.total),
        },
        'ram:InvoiceReferencedDocument': invoice.corrects
          ? { 'ram:IssuerAssignedID': invoice.corrects }
          : null,
      },
    },
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlOf({ 'rsm:CrossIndustryInvoice': root })}\n`;
}

/** The standard has no negative prices: a line that takes something off has a negative quantity. */
function priceOf(
  line: StatementLine,
  { isCredit, currency }: { isCredit: boolean; currency: string },
): XmlElement {
  const { price, of, quantity } =
    line.kind === 'overage'
      ? { price: line.price_per_1000, of: 1_000, quantity: line.checks }
      : { price: Math.abs(line.amount), of: 1, quantity: Math.sign(line.amount) || 1 };
  return {
    'ram:SpecifiedLineTradeAgreement': {
      'ram:NetPriceProductTradePrice': {
        'ram:ChargeAmount': formatAmount(price, currency, ''),
        'ram:BasisQuantity': { ...PIECES, '#': String(of) },
      },
    },
    'ram:SpecifiedLineTradeDelivery': {
      'ram:BilledQuantity': { ...PIECES, '#': String(isCredit ? -quantity : quantity) },
    },
  };
}

/** The standard has three lines for an address; further ones join the third. */
function partyOf({ name, address, country }: InvoiceDocument['content']['buyer']): XmlElement {
  const [one, two, ...rest] = (address ?? '').split('\n').filter(Boolean);
  return {
    'ram:Name': name,
    'ram:PostalTradeAddress': {
      'ram:LineOne': one,
      'ram:LineTwo': two,
      'ram:LineThree': rest.join(', ') || null,
      'ram:CountryID': country,
    },
  };
}

const dateOf = (day: string): XmlElement => ({
  'udt:DateTimeString': { '@format': '102', '#': day.replaceAll('-', '') },
});

function lastDayOf(month: string): string {
  const [year = 0, index = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, index, 0)).toISOString().slice(0, 10);
}

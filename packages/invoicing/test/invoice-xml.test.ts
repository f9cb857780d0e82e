import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import t from 'tap';
import { invoiceXml } from '../src/invoice-xml.js';
import { xmlObstacle } from '../src/xml-obstacle.js';

type Parties = Pick<InvoiceDocument['content'], 'seller' | 'buyer'>;

const SELLER = {
  name: 'ACME & Sons GmbH',
  address: 'Street 1\n2nd floor\n10115 Berlin\nGermany',
  tax_id: 'DE 123 456 789',
  contact: 'billing@acme.example',
  country: 'DE',
  payment: 'IBAN DE00 0000',
};
const BUYER = {
  name: 'Customer <Ltd>',
  address: '1 Rue\nParis',
  tax_id: 'FR12345678901',
  contact: null,
  country: 'FR',
  external_ref: 'cus_1',
  po_number: 'PO-7',
};
const LINES = [
  {
    kind: 'plan',
    plan: 'scale',
    from: '2026-02-01',
    to: '2026-02-28',
    days: 28,
    month_days: 28,
    price_month: 49_900,
    amount: 49_900,
  },
  { kind: 'overage', plan: 'scale', checks: 1_500, price_per_1000: 30, amount: 45 },
  { kind: 'credit', reason: 'Outage\u0000 of the third', amount: -5_000 },
] as const;

const invoice = (
  change: Partial<InvoiceDocument> = {},
  { seller = SELLER, buyer = BUYER }: Partial<Parties> = {},
): InvoiceDocument => ({
  number: 'ACME-000042',
  kind: 'invoice',
  legal_entity: 'acme',
  account_id: 'acc_1',
  month: '2026-02',
  issued_on: '2026-03-01',
  due_on: '2026-03-15',
  currency: 'EUR',
  subtotal: 44_945,
  tax_rate: 1_900,
  tax: 8_540,
  total: 53_485,
  corrects: null,
  statement_checksum: null,
  checksum: 'abc',
  content: { seller, buyer, tax_note: null, lines: LINES },
  ...change,
});
const untaxed = { tax_rate: 0, tax: 0, total: 44_945 };

t.test('amounts, dates and parties are those of the invoice', async (t) => {
  const xml = invoiceXml(invoice());
  for (const part of [
    '<ram:ID>urn:cen.eu:en16931:2017</ram:ID>',
    '<ram:ID>ACME-000042</ram:ID><ram:TypeCode>380</ram:TypeCode>',
    '<udt:DateTimeString format="102">20260228</udt:DateTimeString>',
    '<ram:ID>acme</ram:ID><ram:Name>ACME &amp; Sons GmbH</ram:Name>',
    '<ram:LineThree>10115 Berlin, Germany</ram:LineThree><ram:CountryID>DE</ram:CountryID>',
    '<ram:ID schemeID="VA">DE123456789</ram:ID>',
    '<ram:ID>cus_1</ram:ID><ram:Name>Customer &lt;Ltd&gt;</ram:Name>',
    '<ram:IssuerAssignedID>PO-7</ram:IssuerAssignedID>',
    '<ram:Name>Credit: Outage of the third</ram:Name>',
    '<ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>19.00</ram:RateApplicablePercent>',
    '<ram:LineTotalAmount>449.45</ram:LineTotalAmount><ram:TaxBasisTotalAmount>449.45</ram:TaxBasisTotalAmount>',
    '<ram:TaxTotalAmount currencyID="EUR">85.40</ram:TaxTotalAmount><ram:GrandTotalAmount>534.85</ram:GrandTotalAmount>',
    '<ram:DuePayableAmount>534.85</ram:DuePayableAmount>',
  ]) {
    t.ok(xml.includes(part), part);
  }
});

t.test('a line that takes something off has a negative quantity, never a negative price', async (t) => {
  const xml = invoiceXml(invoice());
  const prices = [...xml.matchAll(/<ram:ChargeAmount>([^<]*)/g)].map(([, price]) => price);
  const quantities = [...xml.matchAll(/<ram:BilledQuantity unitCode="C62">([^<]*)/g)].map(([, many]) => many);
  t.strictSame(prices, ['499.00', '0.30', '50.00']);
  t.strictSame(quantities, ['1', '1500', '-1']);
});

t.test('a credit note has positive amounts, names its invoice and is never due', async (t) => {
  const content = {
    ...invoice().content,
    lines: [{ kind: 'credit', reason: 'Half', amount: -1_000 } as const],
  };
  const xml = invoiceXml(
    invoice({
      kind: 'credit_note',
      corrects: 'ACME-000041',
      subtotal: -1_000,
      tax: -190,
      total: -1_190,
      content,
    }),
  );
  t.match(xml, '<ram:TypeCode>381</ram:TypeCode>');
  t.match(xml, '<ram:GrandTotalAmount>11.90</ram:GrandTotalAmount>');
  t.match(xml, '<ram:BilledQuantity unitCode="C62">1</ram:BilledQuantity>');
  t.match(xml, '<ram:IssuerAssignedID>ACME-000041</ram:IssuerAssignedID>');
  t.notMatch(xml, 'DueDateDateTime');
});

t.test('why there is no tax follows from who sells to whom', async (t) => {
  const categoryOf = (parties: Partial<Parties>) =>
    /<ram:CategoryCode>(\w+)</.exec(invoiceXml(invoice(untaxed, parties)))?.[1];
  t.equal(categoryOf({}), 'AE', 'another country of the EU, with a VAT id: reverse charge');
  t.equal(categoryOf({ buyer: { ...BUYER, tax_id: null } }), 'E');
  t.equal(categoryOf({ buyer: { ...BUYER, country: 'US', tax_id: '12-3456789' } }), 'G', 'export');
  t.equal(categoryOf({ buyer: { ...BUYER, country: 'DE' } }), 'E', 'the same country');
  t.equal(categoryOf({ seller: { ...SELLER, tax_id: '30/123/4567' } }), 'E', 'a tax number is no VAT id');
  const outside = invoiceXml(invoice(untaxed, { seller: { ...SELLER, tax_id: null } }));
  t.match(outside, '<ram:CategoryCode>O</ram:CategoryCode>', 'no tax id: not subject to VAT');
  t.notMatch(outside, 'RateApplicablePercent');
  t.notMatch(outside, 'schemeID');
});

t.test('an invoice without what the standard wants says so instead', async (t) => {
  const obstacle = (parties: Partial<Parties>, change: Partial<InvoiceDocument> = {}) =>
    xmlObstacle(invoice(change, parties));
  t.equal(obstacle({}), null);
  t.match(obstacle({ seller: { ...SELLER, country: null } }), 'country of the seller');
  t.match(obstacle({ buyer: { ...BUYER, country: null } }), 'country of the customer');
  t.match(obstacle({ seller: { ...SELLER, tax_id: null } }), 'tax id of the seller');
  t.equal(obstacle({ seller: { ...SELLER, tax_id: null } }, untaxed), null);
});

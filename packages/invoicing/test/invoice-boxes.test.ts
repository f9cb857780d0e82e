import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import PDFDocument from 'pdfkit';
import t from 'tap';
import { invoiceHtml } from '../src/invoice-html.js';
import { invoicePdf } from '../src/invoice-pdf.js';

interface Box {
  readonly page: PDFKit.PDFPage;
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const TEXT = PDFDocument.prototype.text;

/** The text of a document, each piece with the rectangle it covers. */
async function boxesOf(invoice: InvoiceDocument): Promise<Box[]> {
  const boxes: Box[] = [];
  PDFDocument.prototype.text = function (this: PDFKit.PDFDocument, ...args: unknown[]) {
    const [text, left, top, options] = args as [string, number, number, PDFKit.Mixins.TextOptions];
    const right = left + this.widthOfString(text, options);
    // The line box of Inter is 1.21 of its size, of which the letters take 0.97.
    const bottom = top + this.currentLineHeight() * 0.8;
    boxes.push({ page: this.page, text, left, right, top: top + this.currentLineHeight() * 0.15, bottom });
    return TEXT.apply(this, args as Parameters<typeof TEXT>);
  };
  try {
    await invoicePdf(invoice);
  } finally {
    PDFDocument.prototype.text = TEXT;
  }
  return boxes.filter(({ text }) => text.trim() !== '');
}

const long = (length: number, word = 'Steuerbefreiung ') => word.repeat(20).slice(0, length).trim();

const invoice = (fields: Partial<InvoiceDocument>, content: object = {}): InvoiceDocument => ({
  number: 'INV-000001',
  kind: 'invoice',
  legal_entity: 'verdict',
  account_id: 'acc_01J9Z8Y7X6W5V4T3S2R1Q0P9N8',
  month: '2026-09',
  issued_on: '2026-10-01',
  due_on: '2026-10-15',
  currency: 'EUR',
  subtotal: 49_900_00,
  tax_rate: 0,
  tax: 0,
  total: 49_900_00,
  corrects: null,
  statement_checksum: 'a'.repeat(64),
  checksum: 'b'.repeat(64),
  content: {
    seller: {
      name: long(100),
      address: long(120),
      tax_id: 'DE123456789',
      contact: 'a@b.example',
      payment: 'IBAN DE00',
    },
    buyer: {
      name: long(100),
      address: long(120),
      tax_id: null,
      contact: null,
      po_number: long(60, 'PO-4711-'),
    },
    tax_note: long(120),
    lines: [
      {
        kind: 'plan',
        plan: 'scale',
        from: '2026-09-01',
        to: '2026-09-29',
        days: 29,
        month_days: 30,
        price_month: 4_990_000,
        amount: 4_823_667,
      },
      {
        kind: 'plan_checks',
        plan: 'scale',
        checks: 2_415_667,
        of_checks: 2_415_667,
        price: 4_823_700,
        amount: 4_823_700,
      },
      {
        kind: 'overage',
        month: '2026-08',
        plan: 'scale',
        checks: 12_345_678,
        price_per_1000: 123_456,
        amount: 1_524_157_407,
      },
      { kind: 'discount', month: '2026-08', percent: 1_250, amount: -1_525 },
      { kind: 'adjustment', reason: long(200), amount: -100 },
    ],
    plans: [],
    entitled: 1,
    used: 2,
    adjusted: 3,
    over: 4,
    keys: [
      { key_id: 'key_01J9Z8Y7X6W5V4T3S2R1Q0P9N8', name: long(80), cost_centre: long(80), checks: 12_345_678 },
    ],
    ...content,
  } as InvoiceDocument['content'],
  ...fields,
});

t.test(
  'no text of an invoice overlaps another or leaves the margins, however long its parts are',
  async (t) => {
    const boxes = await boxesOf(invoice({}));
    t.ok(boxes.length > 40, `${boxes.length} pieces of text`);
    for (const [i, a] of boxes.entries()) {
      if (a.left < 53 || a.right > 542) t.fail(`“${a.text}” leaves the margins`);
      for (const b of boxes.slice(i + 1)) {
        const apart =
          a.page !== b.page ||
          a.right <= b.left + 0.01 ||
          b.right <= a.left + 0.01 ||
          a.bottom <= b.top ||
          b.bottom <= a.top;
        if (!apart) t.fail(`“${a.text}” and “${b.text}” overlap`);
      }
    }
    const note = boxes.filter(({ text }) => text.startsWith('Steuer')).map(({ text }) => text);
    t.match(
      boxes.map(({ text }) => text).join('\n'),
      /Total\n.*\nSteuerbefreiung/,
      'the tax note is below the totals',
    );
    t.ok(note.length > 5);
  },
);

t.test('an invoice of 0.00 asks for no payment', async (t) => {
  const nothing = invoice({ subtotal: 0, total: 0 });
  const said = (await boxesOf(nothing)).map(({ text }) => text);
  t.ok(said.includes('Nothing to pay.'));
  t.notOk(said.includes('Due') || said.includes('IBAN DE00'));
  t.match(invoiceHtml(nothing), /Nothing to pay\./);
  t.notMatch(invoiceHtml(nothing), /IBAN|<dt>Due/);
});

import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import PDFDocument from 'pdfkit';
import { describeLine } from './describe-line.js';
import { formatCount } from './in-words.js';
import {
  addresseeOf,
  factsOf,
  partyLines,
  paymentOf,
  taxNoteOf,
  titleOf,
  totalsOf,
  usageOf,
} from './invoice-rows.js';
import { ACCENT } from './page-html.js';
import { createType, type Type } from './pdf-type.js';

type Pdf = PDFKit.PDFDocument;

const LEFT = 54;
const RIGHT = 541;
const TOP = 54;
/** Everything below belongs to the foot. */
const BOTTOM = 748;
const LINE = 13.5;
const MUTED = '#5b6470';
const RULE = '#dfe3e8';

/** An invoice on A4, with embedded type, page numbers and its checksum at every foot. The same invoice, the same bytes. */
export async function invoicePdf(invoice: InvoiceDocument): Promise<Buffer> {
  const title = `${titleOf(invoice)} ${invoice.number}`;
  const issued = new Date(`${invoice.issued_on}T00:00:00Z`);
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    font: '', // none by default: every line names its own
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: invoice.content.seller.name, CreationDate: issued, ModDate: issued },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((done, failed) => pdf.on('end', done).on('error', failed));
  const page = createPage(pdf, createType(pdf));
  drawHead(page, invoice);
  drawParties(page, invoice);
  drawLines(page, invoice);
  drawTotals(page, invoice);
  drawPayment(page, invoice);
  drawUsage(page, invoice);
  drawFeet(page, invoice);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

interface Page {
  readonly pdf: Pdf;
  readonly type: Type;
  /** Where the next thing goes. */
  y: number;
  /** Begins a new page when less than this is left; true when it did. */
  room(height: number): boolean;
  rule(color?: string, width?: number): void;
}

function createPage(pdf: Pdf, type: Type): Page {
  return {
    pdf,
    type,
    y: TOP,
    room(height) {
      if (this.y + height <= BOTTOM) return false;
      pdf.addPage();
      this.y = TOP;
      return true;
    },
    rule(color = RULE, width = 0.75) {
      pdf.moveTo(LEFT, this.y).lineTo(RIGHT, this.y).lineWidth(width).strokeColor(color).stroke();
    },
  };
}

/** An octagon with a check: the sign of the house, beside the name of who sends the invoice. */
function drawMark({ pdf }: Page, x: number, y: number, size: number): void {
  const corner = size * 0.29;
  const points: [number, number][] = [
    [corner, 0],
    [size - corner, 0],
    [size, corner],
    [size, size - corner],
    [size - corner, size],
    [corner, size],
    [0, size - corner],
    [0, corner],
  ];
  pdf.polygon(...points.map(([dx, dy]): [number, number] => [x + dx, y + dy])).fill(ACCENT);
  pdf
    .moveTo(x + size * 0.28, y + size * 0.52)
    .lineTo(x + size * 0.44, y + size * 0.68)
    .lineTo(x + size * 0.74, y + size * 0.34)
    .lineWidth(size * 0.1)
    .lineCap('round')
    .lineJoin('round')
    .strokeColor('#fff')
    .stroke();
}

/** Leaves room for the title at the right. */
const HEAD_WIDTH = 300;

function drawHead(page: Page, invoice: InvoiceDocument): void {
  const { type } = page;
  const [name = '', ...rest] = partyLines(invoice.content.seller);
  drawMark(page, LEFT, page.y, 20);
  type.line(titleOf(invoice), RIGHT, page.y - 3, { size: 22, weight: 600, right: true });
  type.line(invoice.number, RIGHT, page.y + 25, { size: 10.5, color: MUTED, right: true });
  page.y += 3;
  for (const text of type.wrap(name, HEAD_WIDTH, 12, 600)) {
    type.line(text, LEFT + 28, page.y, { size: 12, weight: 600 });
    page.y += 15.5;
  }
  page.y += 9.5;
  for (const text of rest.flatMap((line) => type.wrap(line, HEAD_WIDTH, 8.5))) {
    type.line(text, LEFT + 28, page.y, { size: 8.5, color: MUTED });
    page.y += 11.5;
  }
  page.y = Math.max(page.y + 8, TOP + 56);
  page.rule(ACCENT, 1.5);
  page.y += 22;
}

function drawParties(page: Page, invoice: InvoiceDocument): void {
  const { type } = page;
  const top = page.y;
  type.line(addresseeOf(invoice), LEFT, page.y, { size: 8.5, color: MUTED });
  page.y += 15;
  for (const [i, text] of partyLines(invoice.content.buyer).entries()) {
    for (const line of type.wrap(text, 220, i === 0 ? 11 : 9.5, i === 0 ? 600 : 400)) {
      type.line(line, LEFT, page.y, i === 0 ? { size: 11, weight: 600 } : {});
      page.y += i === 0 ? 16 : LINE;
    }
  }
  let y = top;
  for (const [name, value] of factsOf(invoice)) {
    type.line(name, 320, y, { color: MUTED });
    // An id or an order number is longer than anything else here.
    const size = value.length > 24 ? 8 : 9.5;
    const room = RIGHT - 332 - type.widthOf(name, 9.5, 400);
    for (const [i, text] of type.wrap(value, room, size).entries()) {
      if (i > 0) y += LINE;
      type.line(text, RIGHT, y, { right: true, size });
    }
    y += LINE + 2;
  }
  page.y = Math.max(page.y, y) + 24;
}

const COLUMNS = { description: LEFT, quantity: 345, price: 450, amount: RIGHT };

function drawLinesHead(page: Page): void {
  const { type } = page;
  const head = { size: 8.5, weight: 600 as const, color: MUTED };
  type.line('Description', COLUMNS.description, page.y, head);
  type.line('Quantity', COLUMNS.quantity, page.y, { ...head, right: true });
  type.line('Price', COLUMNS.price, page.y, { ...head, right: true });
  type.line('Amount', COLUMNS.amount, page.y, { ...head, right: true });
  page.y += 15;
  page.rule('#111');
  page.y += 8;
}

function drawLines(page: Page, { content, currency }: InvoiceDocument): void {
  const { type } = page;
  drawLinesHead(page);
  for (const line of content.lines) {
    const { description, quantity, price, amount } = describeLine(line, currency);
    const room = quantity ? 215 : price ? 290 : 380;
    const words = type.wrap(description, room);
    const prices = type.wrap(price, quantity ? 97 : 90);
    const rows = Math.max(words.length, prices.length);
    if (page.room(rows * LINE + 8)) drawLinesHead(page);
    type.line(quantity, COLUMNS.quantity, page.y, { right: true });
    type.line(amount, COLUMNS.amount, page.y, { right: true });
    for (const [i, text] of prices.entries()) {
      type.line(text, COLUMNS.price, page.y + i * LINE, { right: true });
    }
    for (const [i, text] of words.entries()) type.line(text, COLUMNS.description, page.y + i * LINE);
    page.y += rows * LINE;
    page.y += 4;
    page.rule();
    page.y += 8;
  }
}

function drawTotals(page: Page, invoice: InvoiceDocument): void {
  const { pdf, type } = page;
  const rows = totalsOf(invoice);
  const note = type.wrap(taxNoteOf(invoice), RIGHT - 320, 8.5);
  page.room(rows.length * 18 + 16 + note.length * 11.5);
  page.y += 4;
  for (const [i, [name, value]] of rows.entries()) {
    const last = i === rows.length - 1;
    if (last) {
      pdf.moveTo(320, page.y).lineTo(RIGHT, page.y).lineWidth(0.75).strokeColor('#111').stroke();
      page.y += 8;
    }
    const style = last ? { size: 12, weight: 600 as const } : {};
    type.line(name, 320, page.y, last ? style : { color: MUTED });
    type.line(value, RIGHT, page.y, { ...style, right: true });
    page.y += last ? 22 : 17;
  }
  for (const text of note) {
    type.line(text, 320, page.y, { size: 8.5, color: MUTED });
    page.y += 11.5;
  }
}

function drawPayment(page: Page, invoice: InvoiceDocument): void {
  const lines = paymentOf(invoice).flatMap((text) => page.type.wrap(text, RIGHT - LEFT));
  if (lines.length === 0) return;
  page.room(lines.length * LINE + 30);
  page.y += 10;
  heading(page, 'Payment');
  for (const text of lines) {
    page.type.line(text, LEFT, page.y);
    page.y += LINE;
  }
}

function drawUsage(page: Page, invoice: InvoiceDocument): void {
  const rows = usageOf(invoice);
  if (rows.length === 0) return;
  const { type } = page;
  page.room(rows.length * 15 + 50);
  page.y += 20;
  heading(page, 'Usage');
  for (const [name, value] of rows) {
    type.line(name, LEFT, page.y, { color: MUTED });
    type.line(value, 250, page.y, { right: true });
    page.y += 15;
  }
  const { keys = [] } = invoice.content;
  if (keys.length === 0) return;
  page.room(70);
  page.y += 12;
  drawKeysHead(page);
  for (const { key_id, name, cost_centre, checks } of keys) {
    if (page.room(17)) drawKeysHead(page);
    type.line(key_id, LEFT, page.y, { size: 8.5 });
    type.line(fit(type, name ?? '', 120), 245, page.y);
    type.line(fit(type, cost_centre ?? '', 90), 375, page.y);
    type.line(formatCount(checks), RIGHT, page.y, { right: true });
    page.y += 15;
  }
}

function drawKeysHead(page: Page): void {
  const head = { size: 8.5, weight: 600 as const, color: MUTED };
  page.type.line('Checks by key', LEFT, page.y, head);
  page.type.line('Name', 245, page.y, head);
  page.type.line('Cost centre', 375, page.y, head);
  page.type.line('Checks', RIGHT, page.y, { ...head, right: true });
  page.y += 14;
  page.rule();
  page.y += 7;
}

function heading(page: Page, text: string): void {
  page.type.line(text, LEFT, page.y, { weight: 600 });
  page.y += 17;
}

/** One line of a table cell; what does not fit ends with dots. */
function fit(type: Type, text: string, width: number): string {
  if (type.widthOf(text, 9.5, 400) <= width) return text;
  let shown = text;
  while (shown && type.widthOf(`${shown}…`, 9.5, 400) > width) shown = shown.slice(0, -1);
  return `${shown}…`;
}

function drawFeet({ pdf, type }: Page, { number, checksum }: InvoiceDocument): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let i = 0; i < count; i++) {
    pdf.switchToPage(start + i);
    pdf.moveTo(LEFT, 780).lineTo(RIGHT, 780).lineWidth(0.75).strokeColor(RULE).stroke();
    type.line(`Checksum ${checksum}`, LEFT, 789, { size: 7, color: MUTED });
    type.line(`${number} · page ${i + 1} of ${count}`, RIGHT, 789, { size: 7, color: MUTED, right: true });
  }
}

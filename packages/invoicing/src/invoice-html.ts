import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { describeLine } from './describe-line.js';
import { escapeHtml } from './escape-html.js';
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
import { MARK, pageHtml } from './page-html.js';

/** An invoice as one page that needs nothing else. */
export function invoiceHtml(invoice: InvoiceDocument): string {
  const { currency, content, checksum } = invoice;
  const { seller, buyer, lines, keys = [] } = content;
  const title = titleOf(invoice);
  const usage = usageOf(invoice);
  const payment = paymentOf(invoice);
  const taxNote = taxNoteOf(invoice);
  const [sender = '', ...place] = partyLines(seller);
  const [customer = '', ...at] = partyLines(buyer);
  return pageHtml(
    `${title} ${invoice.number}`,
    `<div class="head">
<div class="sender">${MARK}<strong>${escapeHtml(sender)}</strong><address>${multiline(place)}</address></div>
<div><h1>${title}</h1><p class="muted">${escapeHtml(invoice.number)}</p></div>
</div>
<div class="sides">
<div><p class="muted">${addresseeOf(invoice)}</p><address><strong>${escapeHtml(customer)}</strong>
${multiline(at)}</address></div>
<dl>${pairs(factsOf(invoice))}</dl>
</div>
<h2>What is billed</h2>
<table>
<thead><tr><th>Description</th><th class="n">Quantity</th><th class="n">Price</th><th class="n">Amount</th></tr></thead>
<tbody>
${lines
  .map((line) => describeLine(line, currency))
  .map(
    ({ description, quantity, price, amount }) =>
      `<tr><td>${escapeHtml(description)}</td><td class="n">${quantity}</td><td class="n">${price}</td><td class="n">${amount}</td></tr>`,
  )
  .join('\n')}
</tbody>
</table>
<dl class="totals">${pairs(totalsOf(invoice), true)}</dl>
${taxNote ? `<p class="muted">${escapeHtml(taxNote)}</p>` : ''}
${payment.length > 0 ? `<h2>Payment</h2><address>${multiline(payment)}</address>` : ''}
${usage.length > 0 ? `<h2>Usage</h2><dl style="max-width:320px">${pairs(usage)}</dl>` : ''}
${keys.length > 0 ? usageByKey(keys) : ''}
<footer>
<p>Checksum <code>${checksum}</code></p>
</footer>`,
  );
}

const usageByKey = (keys: NonNullable<InvoiceDocument['content']['keys']>): string => `<h2>Checks by key</h2>
<table>
<thead><tr><th>Key</th><th>Name</th><th>Cost centre</th><th class="n">Checks</th></tr></thead>
<tbody>${keys
  .map(
    ({ key_id, name, cost_centre, checks }) =>
      `<tr><td><code>${escapeHtml(key_id)}</code></td><td>${escapeHtml(name ?? '')}</td><td>${escapeHtml(cost_centre ?? '')}</td><td class="n">${formatCount(checks)}</td></tr>`,
  )
  .join('\n')}</tbody>
</table>`;

const multiline = (lines: readonly string[]): string => lines.map(escapeHtml).join('\n');

const pairs = (rows: readonly (readonly [string, string])[], emphasiseLast = false): string =>
  rows
    .map(([name, value], i) => {
      const last = emphasiseLast && i === rows.length - 1 ? ' class="last"' : '';
      return `<dt${last}>${escapeHtml(name)}</dt><dd${last}>${escapeHtml(value)}</dd>`;
    })
    .join('\n');

import {
  type InvoiceNews,
  type InvoiceToMail,
  invoicesToMail,
  writeInvoiceMail,
} from '@verdict/db/billing/invoice-mails.js';
import type { Database } from '@verdict/db/database/client.js';
import { formatMoney } from '@verdict/domain/money.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import { formatDay, formatMonth } from '@verdict/invoicing/in-words.js';
import type { Mail } from '@verdict/mail/mail.js';
import { sealMail } from './seal-mail.js';

/** Invoices in one read. */
const PAGE = 500;

/** Writes the mails about new and overdue invoices to the outbox, each once; returns how many. */
export async function queueInvoiceMails(db: Database, sealer: Sealer, today: Date): Promise<number> {
  let queued = 0;
  for (const news of ['issued', 'overdue'] as const) {
    for (let after = '', count = PAGE; count === PAGE; ) {
      const page = await invoicesToMail(db, news, today, { after, limit: PAGE });
      for (const invoice of page) {
        const outgoing = sealMail(sealer, invoice.to, mailAbout(invoice, news));
        if (await writeInvoiceMail(db, invoice.number, news, outgoing)) queued++;
      }
      count = page.length;
      after = page.at(-1)?.number ?? after;
    }
  }
  return queued;
}

function mailAbout(invoice: InvoiceToMail, news: InvoiceNews): Mail {
  const { number, kind, month, due_on, currency, left } = invoice;
  const amount = left === 0 ? null : formatMoney(Math.abs(left), currency);
  const facts = { number, amount, dueOn: formatDay(due_on) };
  return news === 'overdue'
    ? { kind: 'invoice_overdue', ...facts }
    : { kind: 'invoice_issued', credit: kind === 'credit_note', month: formatMonth(month), ...facts };
}

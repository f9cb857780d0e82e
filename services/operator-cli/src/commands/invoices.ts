import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  creditInvoice,
  findInvoice,
  issueInvoicesByHand,
  listInvoices,
} from '@verdict/db/billing/invoices.js';
import { listLegalEntities } from '@verdict/db/billing/legal-entities.js';
import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { formatAmount, parseAmount } from '@verdict/domain/money.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import type { Command } from 'commander';
import { operator } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';
import { requireAccount } from '../require-account.js';
import { periodOption } from './period-option.js';

const FORMATS = ['csv', 'html', 'pdf', 'stripe', 'jsonl'] as const;
type Format = (typeof FORMATS)[number];

export function addInvoices(program: Command, { output, fail }: Context): void {
  const invoices = program.command('invoices').description('invoices and credit notes');

  invoices
    .command('list')
    .addOption(periodOption('only of this month'))
    .option('--account <account>', 'only of this account (id or email)')
    .action(async ({ period, account }: { period?: string; account?: string }) => {
      const rows = await withDatabase(async (db) =>
        listInvoices(db, {
          ...(period !== undefined && { month: period }),
          ...(account !== undefined && { accountId: (await requireAccount(db, account)).id }),
        }),
      );
      output().rows(rows.map(line), 'There are no invoices.');
    });

  invoices
    .command('show <number>')
    .description('one invoice; its page or file with --format')
    .option('--format <format>', 'html or pdf')
    .option('--out <file>', 'where to write it; without it, to the standard output')
    .action(async (number: string, { format, out }: { format?: string; out?: string }) => {
      const invoice = await withDatabase((db) => findInvoice(db, number));
      if (!invoice) throw new Error(`there is no invoice ${number}`);
      if (format === undefined) return output().object(line(invoice));
      if (format !== 'html' && format !== 'pdf') throw new Error('--format wants html or pdf');
      const content = await draw(invoice, format);
      if (out !== undefined) await writeFile(out, content);
      else process.stdout.write(content);
    });

  invoices
    .command('issue')
    .description('issue what is not issued yet of the closed months; closing a month does it too')
    .action(async () => {
      const { issued, entities } = await withDatabase(async (db) => ({
        entities: (await listLegalEntities(db)).length,
        issued: await issueInvoicesByHand(db, operatorAudit('invoices.issued', '')),
      }));
      if (entities === 0)
        throw new Error('there is no legal entity to invoice; see verdict entities set --help');
      output().object({ issued });
    });

  invoices
    .command('credit <number>')
    .description('issue a credit note for an invoice: all that is left of it, or an amount before tax')
    .option('--amount <money>', 'such as 12.50')
    .requiredOption('--reason <text>', 'stands on the credit note')
    .action(async (number: string, { amount, reason }: { amount?: string; reason: string }) => {
      await withDatabase(async (db) => {
        const invoice = await findInvoice(db, number);
        if (!invoice) throw new Error(`there is no invoice ${number}`);
        const minor = amount === undefined ? null : parseAmount(amount, invoice.currency);
        if (amount !== undefined && (minor === null || minor <= 0)) {
          throw new Error(`--amount wants an amount of ${invoice.currency} above zero, such as 12.50`);
        }
        const audit = operatorAudit('billing.credited', number, { reason, amount: minor });
        const issued = await creditInvoice(db, { number, amount: minor, reason, author: operator() }, audit);
        const note = await findInvoice(db, issued);
        if (note) output().object(line(note));
      });
    });

  invoices
    .command('export')
    .description(
      'a month for other programs: csv (accounting), stripe (meter events), jsonl (statements); html and pdf into a folder',
    )
    .addOption(periodOption('month to export').default(addMonths(monthOf(new Date()), -1), 'the last month'))
    .option('--format <format>', FORMATS.join(', '), 'csv')
    .option('--out <folder>', 'where html and pdf go', '.')
    .action(async ({ period, format, out }: { period: string; format: Format; out: string }) => {
      if (!FORMATS.includes(format)) throw new Error(`--format wants one of ${FORMATS.join(', ')}`);
      if (format === 'stripe' || format === 'jsonl') {
        const { exportStatements } = await import('../export-statements.js');
        const { text, leftOut } = await withDatabase((db) => exportStatements(db, period, format));
        output().text(text);
        for (const { account, why } of leftOut) process.stderr.write(`${account}: ${why}\n`);
        if (leftOut.length > 0) fail();
        return;
      }
      const documents = await withDatabase((db) => listInvoices(db, { month: period }));
      if (format === 'csv') {
        const { accountingCsv } = await import('@verdict/invoicing/accounting-csv.js');
        return output().text(accountingCsv(documents));
      }
      await mkdir(out, { recursive: true });
      const written: { file: string }[] = [];
      for (const invoice of documents) {
        const file = join(out, `${invoice.number}.${format}`);
        await writeFile(file, await draw(invoice, format));
        written.push({ file });
      }
      output().rows(written, `There are no invoices for ${period}.`);
    });
}

/** What draws is loaded when something is to be drawn. */
async function draw(invoice: InvoiceDocument, format: 'html' | 'pdf'): Promise<string | Uint8Array> {
  if (format === 'pdf') return (await import('@verdict/invoicing/invoice-pdf.js')).invoicePdf(invoice);
  return (await import('@verdict/invoicing/invoice-html.js')).invoiceHtml(invoice);
}

const line = (invoice: InvoiceDocument) => ({
  number: invoice.number,
  kind: invoice.kind,
  account: invoice.account_id,
  name: invoice.content.buyer.name,
  month: invoice.month,
  issued_on: invoice.issued_on,
  due_on: invoice.due_on,
  currency: invoice.currency,
  subtotal: formatAmount(invoice.subtotal, invoice.currency, ''),
  tax: formatAmount(invoice.tax, invoice.currency, ''),
  total: formatAmount(invoice.total, invoice.currency, ''),
  corrects: invoice.corrects,
});

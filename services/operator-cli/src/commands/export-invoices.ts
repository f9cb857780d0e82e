import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readInvoicePages } from '@verdict/db/billing/invoices.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { xmlObstacle } from '@verdict/invoicing/xml-obstacle.js';
import type { Command } from 'commander';
import { operator } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { drawInvoice, FILE_FORMATS } from '../draw-invoice.js';
import { issuedOption, periodOption } from './period-option.js';

const FORMATS = ['csv', ...FILE_FORMATS, 'stripe', 'jsonl'] as const;

interface ExportWish {
  readonly period?: string;
  readonly issued?: string;
  readonly format: (typeof FORMATS)[number];
  readonly excel?: boolean;
  readonly again?: boolean;
  readonly out: string;
}

/** `verdict invoices export`. */
export function addInvoiceExport(invoices: Command, { output, fail }: Context): void {
  invoices
    .command('export')
    .description(
      'a month for other programs: csv (accounting, by date of issue), stripe (meter events), jsonl (statements); html, pdf and xml (EN 16931) into a folder',
    )
    .addOption(periodOption('the month that was served; the last one for stripe and jsonl'))
    .addOption(issuedOption('the month of issue; the last one for csv and files').conflicts('period'))
    .option('--format <format>', FORMATS.join(', '), 'csv')
    .option('--excel', 'csv that Excel opens in Europe: byte order mark, semicolons, decimal commas')
    .option('--out <folder>', 'folder for html, pdf and xml', '.')
    .option('--again', 'stripe: export a month that was exported before')
    .action(async ({ format, out, excel = false, again = false, ...wish }: ExportWish) => {
      if (!FORMATS.includes(format)) throw new Error(`--format must be one of ${FORMATS.join(', ')}`);
      const last = addMonths(monthOf(new Date()), -1);
      if (format === 'stripe' || format === 'jsonl') {
        if (wish.issued) throw new Error(`${format} is by --period: it holds statements`);
        const period = wish.period ?? last;
        const { exportForStripe, exportStatements } = await import('../export-statements.js');
        if (format === 'jsonl') {
          return output().text(await withDatabase((db) => exportStatements(db, period)));
        }
        const by = { author: operator(), now: new Date(), again };
        const { text, leftOut } = await withDatabase((db) => exportForStripe(db, period, by));
        output().text(text);
        for (const { account, why } of leftOut) process.stderr.write(`${account}: ${why}\n`);
        if (leftOut.length > 0) fail();
        return;
      }
      const filter = wish.period ? { month: wish.period } : { issued: wish.issued ?? last };
      if (format === 'csv') {
        const { accountingCsv } = await import('@verdict/invoicing/accounting-csv.js');
        return withDatabase(async (db) => {
          let isFirst = true;
          for await (const page of readInvoicePages(db, filter)) {
            output().text(accountingCsv(page, { excel, isFirst }));
            isFirst = false;
          }
          if (isFirst) output().text(accountingCsv([], { excel }));
        });
      }
      await mkdir(out, { recursive: true });
      const written: { file: string }[] = [];
      await withDatabase(async (db) => {
        for await (const page of readInvoicePages(db, filter)) {
          for (const invoice of page) {
            const file = join(out, `${invoice.number}.${format}`);
            const obstacle = format === 'xml' && xmlObstacle(invoice);
            if (obstacle) {
              process.stderr.write(`${invoice.number}: ${obstacle}\n`);
              fail();
              continue;
            }
            await writeFile(file, await drawInvoice(invoice, format));
            written.push({ file });
          }
        }
      });
      output().rows(written, 'There are no invoices of that month.');
    });
}

import { writeFile } from 'node:fs/promises';
import { readMonthReport } from '@verdict/db/billing/read-month-report.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { monthReportHtml } from '@verdict/invoicing/month-report-html.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import type { Command } from 'commander';
import { withMetering } from '../connect.js';
import type { Context } from '../context.js';
import { periodOption } from './period-option.js';

export function addReport(program: Command, { output, fail }: Context): void {
  program
    .command('report')
    .description('write a monthly report as HTML: totals, growth, top accounts, exceptions, reconciliation')
    .addOption(periodOption('month to report').default(addMonths(monthOf(new Date()), -1), 'the last month'))
    .option('--out <file>', 'output file; default standard output')
    .action(async ({ period, out }: { period: string; out?: string }, command: Command) => {
      const { report, differences } = await withMetering(async (metering) => ({
        report: await readMonthReport(metering.db, period),
        differences: await reconcile(metering, period),
      }));
      if (differences.length > 0) fail();
      if (command.optsWithGlobals().json) {
        return output().text(`${JSON.stringify({ ...report, differences }, null, 2)}\n`);
      }
      const html = monthReportHtml(report, differences);
      if (out === undefined) return output().text(html);
      await writeFile(out, html);
      output().object({ month: period, file: out, differences: differences.length });
    });
}

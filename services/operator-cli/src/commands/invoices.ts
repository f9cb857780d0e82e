import { writeFile } from 'node:fs/promises';
import { setBillingProfile } from '@verdict/db/billing/billing-profiles.js';
import { creditInvoice, findInvoice, listInvoices } from '@verdict/db/billing/invoices.js';
import { listLegalEntities } from '@verdict/db/billing/legal-entities.js';
import { settleInvoice, unsettleInvoice } from '@verdict/db/billing/settle-invoice.js';
import type { Database } from '@verdict/db/database/client.js';
import type { InvoiceStatus } from '@verdict/domain/invoice-document.js';
import { INVOICE_STATUSES } from '@verdict/domain/invoice-document.js';
import { parseAmount } from '@verdict/domain/money.js';
import { dayOf } from '@verdict/domain/month.js';
import type { Metering } from '@verdict/metering/metering.js';
import { type Command, Option } from 'commander';
import { operator, plans } from '../config.js';
import { withDatabase, withMetering } from '../connect.js';
import type { Context } from '../context.js';
import { drawInvoice, FILE_FORMATS, type FileFormat } from '../draw-invoice.js';
import { expectedLine, invoiceLine } from '../invoice-line.js';
import { isDay } from '../is-day.js';
import { operatorAudit } from '../operator-audit.js';
import { createProgress } from '../progress.js';
import { requireAccount, requireBilled } from '../require-account.js';
import { tellOfStopped } from '../tell-of-stopped.js';
import { addInvoiceExport } from './export-invoices.js';
import { issuedOption, periodOption, readMonth } from './period-option.js';

export function addInvoices(program: Command, context: Context): void {
  const { output } = context;
  const invoices = program
    .command('invoices')
    .description('list, preview, hold, issue, settle, credit and export invoices');
  addReading(invoices, output);
  addIssuing(invoices, output);
  addSettling(invoices, output);
  addInvoiceExport(invoices, context);
}

type Output = Context['output'];

function addReading(invoices: Command, output: Output): void {
  invoices
    .command('list')
    .addOption(periodOption('only for this month'))
    .addOption(issuedOption('only issued in this month'))
    .option('--account <account>', 'only this account (id or email)')
    .addOption(new Option('--status <status>', 'only these').choices(INVOICE_STATUSES))
    .action(async ({ period, issued, account, status }: ListWish) => {
      const rows = await withDatabase(async (db) =>
        listInvoices(db, {
          ...(status !== undefined && { status }),
          ...(period !== undefined && { month: period }),
          ...(issued !== undefined && { issued }),
          ...(account !== undefined && { accountId: (await requireAccount(db, account)).id }),
        }),
      );
      output().rows(rows.map(invoiceLine), 'There are no invoices.');
    });

  invoices
    .command('show <number>')
    .description('show one invoice; --format writes its page or file')
    .addOption(new Option('--format <format>', 'xml is EN 16931').choices(FILE_FORMATS))
    .option('--out <file>', 'output file; default standard output')
    .action(async (number: string, { format, out }: { format?: FileFormat; out?: string }) => {
      const invoice = await withDatabase((db) => findInvoice(db, number));
      if (!invoice) throw new Error(`there is no invoice ${number}`);
      if (format === undefined) return output().object(invoiceLine(invoice));
      const content = await drawInvoice(invoice, format);
      if (out !== undefined) await writeFile(out, content);
      else process.stdout.write(content);
    });

  invoices
    .command('preview')
    .argument('[YYYY-MM]', 'only for this month', readMonth)
    .description('show the invoices that closing would issue, and why others wait; writes nothing')
    .action(async (month?: string) => {
      const { previewInvoices } = await import('@verdict/metering/preview-invoices.js');
      const rows = await withDatabase(async (db) => {
        await requireEntity(db);
        return previewInvoices({ db }, plans(), month);
      });
      output().rows(rows.map(expectedLine), 'Closing would issue no invoice.');
    });
}

function addIssuing(invoices: Command, output: Output): void {
  for (const [name, description] of HOLDS) {
    invoices
      .command(`${name} <account>`)
      .description(description)
      .requiredOption('--why <text>', 'kept in the audit log')
      .action(async (account: string, { why }: { why: string }) => {
        await withDatabase(async (db) => {
          const id = await requireBilled(db, account);
          const audit = operatorAudit(`invoices.${name === 'hold' ? 'held' : 'released'}`, id, { why });
          const { hold_reason } = await setBillingProfile(
            db,
            id,
            { hold_reason: name === 'hold' ? why : null },
            audit,
          );
          output().object({ account: id, hold_reason });
        });
      });
  }

  invoices
    .command('issue')
    .description('issue missing invoices of closed months; closing a month does so too')
    .action(async () => {
      const issued = await withMetering(async (metering) => {
        const { db } = metering;
        await requireEntity(db);
        const { issueInvoices } = await import('@verdict/metering/issue-invoices.js');
        const count = await issueInvoices(db, await agreedDay(metering), {
          audit: () => operatorAudit('invoices.issued', ''),
          onProgress: createProgress(),
        });
        await tellOfStopped(db);
        return count;
      });
      output().object({ issued });
    });
}

function addSettling(invoices: Command, output: Output): void {
  invoices
    .command('settle <number>')
    .description('note that an invoice was paid; the same payment again changes nothing')
    .option('--on <YYYY-MM-DD>', 'day of the payment')
    .option('--ref <text>', 'the payment, as your bank or ledger calls it')
    .addOption(new Option('--undo', 'take the payment back').conflicts(['on', 'ref']))
    .action(async (number: string, { on, ref, undo }: { on?: string; ref?: string; undo?: true }) => {
      await withDatabase(async (db) => {
        if (undo) await unsettleInvoice(db, number, operatorAudit('invoices.unsettled', number));
        else {
          if (!on || !ref) throw new Error('say when and how it was paid: --on 2026-11-16 --ref "…"');
          if (!isDay(on)) throw new Error('--on wants a day as YYYY-MM-DD');
          if (on > dayOf(new Date())) throw new Error(`${on} is in the future`);
          const audit = operatorAudit('invoices.settled', number, { on, ref });
          await settleInvoice(db, { number, on, ref }, audit);
        }
        const invoice = await findInvoice(db, number);
        if (invoice) output().object(invoiceLine(invoice));
      });
    });

  invoices
    .command('credit <number>')
    .description('issue a credit note for the rest of an invoice, or for an amount before tax')
    .option('--amount <money>', 'such as 12.50')
    .requiredOption('--reason <text>', 'printed on the credit note')
    .action(async (number: string, { amount, reason }: { amount?: string; reason: string }) => {
      await withMetering(async (metering) => {
        const { db } = metering;
        const invoice = await findInvoice(db, number);
        if (!invoice) throw new Error(`there is no invoice ${number}`);
        const minor = amount === undefined ? null : parseAmount(amount, invoice.currency);
        if (amount !== undefined && (minor === null || minor <= 0)) {
          throw new Error(`--amount must be an amount in ${invoice.currency} above zero, such as 12.50`);
        }
        const audit = operatorAudit('billing.credited', number, { reason, amount: minor });
        const credit = {
          number,
          amount: minor,
          reason,
          author: operator(),
          today: await agreedDay(metering),
        };
        const issued = await creditInvoice(db, credit, audit);
        const note = await findInvoice(db, issued);
        if (note) output().object(invoiceLine(note));
      });
    });
}

interface ListWish {
  readonly period?: string;
  readonly issued?: string;
  readonly account?: string;
  readonly status?: InvoiceStatus;
}

const HOLDS = [
  ['hold', "stop an account's invoices; other accounts are invoiced as usual"],
  ['release', 'end a hold; the next closing or "invoices issue" issues what waited, dated that day'],
] as const;

async function requireEntity(db: Database): Promise<void> {
  if ((await listLegalEntities(db)).length > 0) return;
  throw new Error('there is no legal entity to invoice; see verdict entities set --help');
}

const agreedDay = async (metering: Metering): Promise<Date> =>
  new Date(await (await import('@verdict/metering/agreed-now.js')).agreedNow(metering));

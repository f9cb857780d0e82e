import { randomBytes, randomFillSync } from 'node:crypto';
import { writeInvoiceMail } from '@verdict/db/billing/invoice-mails.js';
import { settleInvoice } from '@verdict/db/billing/settle-invoice.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { runWork } from '@verdict/db/work/run-work.js';
import { createSealer } from '@verdict/domain/sealed-text.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { startSmtpServer } from '@verdict/local-stack/start-smtp-server.js';
import { createMailTransport } from '@verdict/mail/mail-transport.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import t from 'tap';
import { mailWork } from '../src/mail/mail-work.js';
import { queueInvoiceMails } from '../src/mail/queue-invoice-mails.js';
import { createWorkerMetrics } from '../src/metrics.js';

const DAY_MS = 86_400_000;
const today = new Date();
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

const database = await createDatabase();
const owner = connectDatabase({ url: database.url, name: 'owner' });
const db = connectDatabase({ url: database.urlOf('worker'), name: 'worker' });
const smtp = await startSmtpServer();
const transport = createMailTransport(smtp.url, 'Verdict <verdict@mail.example>');
t.teardown(async () => {
  transport.close();
  await smtp.stop();
  await db.$disconnect();
  await owner.$disconnect();
  await database.drop();
});

const sealer = createSealer(randomBytes(32).toString('base64'), randomFillSync);
const work = mailWork({
  ...{ db, sealer, transport, publicUrl: 'https://verdict.example', metrics: createWorkerMetrics() },
  log: createLogger('worker', 'silent'),
});
/** As a worker does until no mail is due. */
async function send(): Promise<void> {
  const sending = runWork(db, work, t.error);
  await sending.idle();
  await sending.close();
}
const queue = () => queueInvoiceMails(db, sealer, today);
const received = () =>
  smtp.received.splice(0).map(({ subject, to, attached }) => ({ subject, to, attached }));

await owner.legalEntity.create({
  data: { id: 'here', name: 'Here GmbH', address: 'A street', numberPrefix: 'HERE-', paymentDays: 0 },
});
for (const id of ['acc_1', 'acc_2', 'acc_3'])
  await owner.account.create({ data: { id, name: id, plan: 'free' } });
await owner.user.create({
  data: { id: 'usr_2', accountId: 'acc_2', email: 'two@customer.example', passwordHash: 'x' },
});

let issued = 0;

async function issue(accountId: string, issuedOn: Date, total: number, contact: string | null) {
  const fields = {
    ...{
      kind: 'invoice',
      account_id: accountId,
      month: `${2000 + issued++}-10-01`,
      issued_on: dayOf(issuedOn),
      currency: 'EUR',
    },
    ...{ subtotal: total, tax_rate: 0, tax: 0, total },
    document: {
      buyer: { name: 'A customer', address: 'B', tax_id: null, contact },
      tax_note: null,
      lines: [],
    },
  };
  const [row] = await owner.$queryRaw<{ number: string }[]>`
    SELECT write_invoice('here', ${JSON.stringify(fields)}::jsonb) AS number`;
  return row?.number ?? '';
}

t.test('an invoice is mailed once with its PDF, and reminded of once when it is overdue', async (t) => {
  const yesterday = new Date(today.getTime() - DAY_MS);
  const first = await issue('acc_1', yesterday, 1900, 'books@customer.example');
  const second = await issue('acc_2', yesterday, 0, 'Jane of the second floor');
  await issue('acc_3', yesterday, 1900, null);
  await issue('acc_1', new Date(today.getTime() - 8 * DAY_MS), 1900, 'books@customer.example');
  const queued = await Promise.all([queue(), queue(), queue()]);
  t.equal(queued[0] + queued[1] + queued[2], 3, 'two documents and a reminder, whoever was first');
  await Promise.all([send(), send()]);
  t.strictSame(
    received().sort((a, b) => a.subject.localeCompare(b.subject)),
    [
      { subject: `Invoice ${first}`, to: ['books@customer.example'], attached: [`${first}.pdf`] },
      { subject: `Invoice ${first} is overdue`, to: ['books@customer.example'], attached: [`${first}.pdf`] },
      { subject: `Invoice ${second}`, to: ['two@customer.example'], attached: [`${second}.pdf`] },
    ],
    'one without a reader and one from before mail was on are left out; nothing to pay is not overdue',
  );
  t.equal(await queue(), 0);
  const copy = { id: 'mal_copy', userId: null, kind: 'invoice_issued', sealed: 'x', lifeSeconds: 60 };
  t.notOk(await writeInvoiceMail(db, first, 'issued', copy), 'nor does a worker that read the list before');
  await send();
  t.strictSame(received(), [], 'a second run sends nothing');
});

t.test('a reminder that waits is dropped when the invoice is paid', async (t) => {
  const number = await issue('acc_1', new Date(today.getTime() - 2 * DAY_MS), 500, 'books@customer.example');
  t.equal(await queue(), 2);
  const audit = { id: 'aud_1', userId: null, ip: null, requestId: null, action: 'invoices.settled' };
  await settleInvoice(owner, { number, on: dayOf(today), ref: 'SEPA 1' }, audit);
  await send();
  t.match(received(), [{ subject: `Invoice ${number}` }]);
  t.equal(await owner.outgoingMail.count(), 0);
});

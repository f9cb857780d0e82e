import { findInvoice } from '@verdict/db/billing/invoices.js';
import type { Database } from '@verdict/db/database/client.js';
import { noteMailError, removeMail, takeMails, type WaitingMail } from '@verdict/db/people/outgoing-mails.js';
import { isUser } from '@verdict/db/people/users.js';
import { QUEUES } from '@verdict/db/work/queues.js';
import type { AfterMs, Work } from '@verdict/db/work/run-work.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import { xmlObstacle } from '@verdict/invoicing/xml-obstacle.js';
import type { Mail } from '@verdict/mail/mail.js';
import { isRefused, type MailTransport } from '@verdict/mail/mail-transport.js';
import { type RenderedMail, renderMail } from '@verdict/mail/render-mail.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import type { WorkerMetrics } from '../metrics.js';

interface Options {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly transport: MailTransport;
  readonly publicUrl: string;
  readonly metrics: Pick<WorkerMetrics, 'mails'>;
  readonly log: Logger;
}

type Outcome = 'sent' | 'put_off' | 'refused' | 'expired' | 'needless';

/**
 * Sends due mails, oldest first. A mail leaves the outbox only after a mail server has accepted it, so a crash leaves
 * it to the next worker; a refused one is retried with growing waits until it expires.
 */
export const mailWork = (options: Options): Work<WaitingMail> => ({
  queue: QUEUES.mails,
  take: (places) => takeMails(options.db, places),
  async run(mail) {
    const { outcome, afterMs } = await sendOne(options, mail);
    options.metrics.mails.inc({ outcome });
    const told = { mailId: mail.id, kind: mail.kind };
    if (outcome === 'sent') options.log.info(told, 'mail sent');
    else if (outcome !== 'needless') options.log.warn({ ...told, outcome }, 'mail not sent');
    return afterMs;
  },
});

interface Sent {
  readonly outcome: Outcome;
  readonly afterMs: AfterMs;
}

async function sendOne({ db, sealer, transport, publicUrl }: Options, waiting: WaitingMail): Promise<Sent> {
  const { id, sealed, lease: tries, expired } = waiting;
  const remove = async (outcome: Outcome): Promise<Sent> => {
    await removeMail(db, id);
    return { outcome, afterMs: null };
  };
  if (expired) return remove('expired');
  try {
    const text = sealer.open(sealed, id);
    if (text === null) throw new Error('no key of SECRETS_KEY opens it');
    const { to, mail: asked } = JSON.parse(text) as { to: string; mail: Mail };
    const mail = await fitting(db, to, asked);
    if (!mail) return await remove('needless');
    await transport.send(to, id, { ...renderMail(mail, publicUrl), ...(await attachedTo(db, mail)) });
    return await remove('sent');
  } catch (error) {
    if (isRefused(error)) return remove('refused');
    await noteMailError(db, waiting, messageOf(error).slice(0, 500));
    return { outcome: 'put_off', afterMs: 5_000 * 2 ** Math.min(tries, 10) };
  }
}

/** Only here it shows whether an address is a user's, or an invoice was paid, long after the mail was written. */
async function fitting(db: Database, to: string, mail: Mail): Promise<Mail | null> {
  if (mail.kind === 'registration' && (await isUser(db, to)))
    return { kind: 'already_registered', occasion: mail.occasion };
  if (mail.kind === 'password_reset' && !(await isUser(db, to))) return null;
  if (mail.kind === 'invoice_overdue' && (await findInvoice(db, mail.number))?.status !== 'overdue')
    return null;
  return mail;
}

/** The files of an invoice; made when it is sent, because the same invoice gives the same files. */
async function attachedTo(db: Database, mail: Mail): Promise<Pick<RenderedMail, 'attachments'>> {
  const invoice = 'number' in mail && (await findInvoice(db, mail.number));
  if (!invoice) return {};
  const { invoicePdf } = await import('@verdict/invoicing/invoice-pdf.js');
  const { invoiceXml } = await import('@verdict/invoicing/invoice-xml.js');
  const pdf = { filename: `${invoice.number}.pdf`, content: await invoicePdf(invoice) };
  if (xmlObstacle(invoice)) return { attachments: [pdf] };
  return { attachments: [pdf, { filename: `${invoice.number}.xml`, content: invoiceXml(invoice) }] };
}

import { findInvoice } from '@verdict/db/billing/invoices.js';
import type { Database } from '@verdict/db/database/client.js';
import { putOffMail, removeMail, takeMails, type WaitingMail } from '@verdict/db/people/outgoing-mails.js';
import { isUser } from '@verdict/db/people/users.js';
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

const AT_ONCE = 20;
/** Longer than twenty mails can take: a worker that died has let go of its mails by then. */
const LEASE_SECONDS = 600;
const PUT_OFF_SECONDS_MAX = 1_800;

type Outcome = 'sent' | 'put_off' | 'refused' | 'expired' | 'needless';

/**
 * Sends due mails, oldest first. A mail leaves the outbox only after a mail server has accepted it, so a crash leaves
 * it to the next worker; a refused one is retried with growing waits until it expires.
 */
export function createMailSender(options: Options): () => Promise<void> {
  const { db, metrics, log } = options;
  return async () => {
    for (;;) {
      const waiting = await takeMails(db, AT_ONCE, LEASE_SECONDS);
      for (const mail of waiting) {
        const outcome = await sendOne(options, mail);
        metrics.mails.inc({ outcome });
        if (outcome === 'sent') log.info({ mailId: mail.id, kind: mail.kind }, 'mail sent');
        else if (outcome !== 'needless')
          log.warn({ mailId: mail.id, kind: mail.kind, outcome }, 'mail not sent');
      }
      if (waiting.length < AT_ONCE) return;
    }
  };
}

async function sendOne(
  { db, sealer, transport, publicUrl }: Options,
  { id, sealed, tries, expired }: WaitingMail,
): Promise<Outcome> {
  const remove = async (outcome: Outcome) => {
    await removeMail(db, id);
    return outcome;
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
    const seconds = Math.min(PUT_OFF_SECONDS_MAX, 5 * 2 ** Math.min(tries, 10));
    await putOffMail(db, id, seconds, messageOf(error).slice(0, 500));
    return 'put_off';
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

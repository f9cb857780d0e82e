import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.js';

interface ReceivedMail {
  readonly to: readonly string[];
  readonly from: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Names of the attached files. */
  readonly attached: readonly string[];
}

/** Starts a mail server on loopback that keeps every mail it accepts. */
export async function startSmtpServer() {
  const received: ReceivedMail[] = [];
  let refusal: number | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onRcptTo: (_address, _session, callback) =>
      callback(refusal === null ? null : Object.assign(new Error('not now'), { responseCode: refusal })),
    async onData(stream, { envelope: { mailFrom, rcptTo } }, callback) {
      const {
        headers,
        subject = '',
        text = '',
        html = '',
        attachments,
      } = await PostalMime.parse(await buffer(stream));
      received.push({
        to: rcptTo.map(({ address }) => address),
        from: mailFrom ? mailFrom.address : '',
        headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
        ...{ subject, text, html, attached: attachments.map(({ filename }) => filename ?? '') },
      });
      callback();
    },
  });
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    /** As SMTP_URL takes it. */
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    /** Refuses every recipient with this SMTP code from now on; null accepts them again. */
    refuseWith(code: number | null) {
      refusal = code;
    },
    /** Waits for the newest mail to an address whose subject matches. */
    mailTo: (address: string, subject: RegExp) =>
      eventually(() => received.findLast((mail) => mail.to.includes(address) && subject.test(mail.subject))),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

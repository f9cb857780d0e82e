import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerEnvelope } from 'smtp-server';
import { eventually } from './eventually.js';

type ReceivedMail = Awaited<ReturnType<typeof read>>;

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
    async onData(stream, { envelope }, callback) {
      received.push(await read(stream, envelope));
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

async function read(stream: SMTPServerDataStream, { mailFrom, rcptTo }: SMTPServerEnvelope) {
  const { headers, subject, text, html, attachments } = await PostalMime.parse(await buffer(stream));
  return {
    to: rcptTo.map(({ address }) => address),
    from: mailFrom ? mailFrom.address : '',
    /** By lower-case name. */
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])) as Record<string, string>,
    subject: subject ?? '',
    text: text ?? '',
    html: html ?? '',
    /** Names of the attached files. */
    attached: attachments.map(({ filename }) => filename ?? ''),
  };
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.js';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly from: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly subject: string;
  /** The plain part, decoded. */
  readonly text: string;
  readonly html: string;
}

export interface TestSmtpServer {
  /** As SMTP_URL takes it. */
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** How it answers from now on: an SMTP code for every recipient, or null to take mail. */
  refuseWith(code: number | null): void;
  /** The newest mail to an address whose subject matches, when it has come. */
  mailTo(address: string, subject: RegExp): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

/** A real mail server on loopback that keeps what it gets. */
export async function startSmtpServer(port = 0): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  let refusal: number | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onRcptTo(_address, _session, callback) {
      if (refusal === null) return callback();
      callback(Object.assign(new Error('not now'), { responseCode: refusal }));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        received.push({
          to,
          from: mailFrom ? mailFrom.address : '',
          ...parse(Buffer.concat(chunks).toString()),
        });
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: taken } = server.server.address() as AddressInfo;
  const newest = (address: string, subject: RegExp) =>
    received.findLast((mail) => mail.to.includes(address) && subject.test(mail.subject));
  return {
    url: `smtp://127.0.0.1:${taken}`,
    received,
    refuseWith(code) {
      refusal = code;
    },
    async mailTo(address, subject) {
      await eventually(async () => newest(address, subject) !== undefined);
      return newest(address, subject) as ReceivedMail;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** As much of MIME as our own mails have: one level of parts, quoted-printable or plain. */
function parse(raw: string): Omit<ReceivedMail, 'to' | 'from'> {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? [{ headers, body }] : body.split(`--${boundary}`).map(split);
  const partOf = (type: string) => {
    const part = parts.find((each) => each.headers['content-type']?.startsWith(type));
    return part ? decode(part.body, part.headers['content-transfer-encoding'] ?? '7bit') : '';
  };
  return {
    headers,
    subject: headers.subject ?? '',
    text: partOf('text/plain'),
    html: partOf('text/html'),
  };
}

function split(raw: string): { headers: Record<string, string>; body: string } {
  const text = raw.replace(/^\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, Math.max(0, end))
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { headers, body: text.slice(end + 4) };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

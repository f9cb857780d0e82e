import { createTransport } from 'nodemailer';
import type { RenderedMail } from './render-mail.js';

export type MailTransport = ReturnType<typeof createMailTransport>;

/** A server that is silent for so long is one that is away. */
const TIMEOUT_MS = 20_000;

export function createMailTransport(smtpUrl: string, from: string) {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: 2,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'verdict.invalid';
  return {
    /** Resolves when the server has accepted it. `id` names the mail, so a mail sent twice is recognised as one. */
    async send(to: string, id: string, mail: RenderedMail) {
      await transport.sendMail({
        ...mail,
        // As an object: an address with a comma or a bracket in it stays one address.
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
        headers: { 'auto-submitted': 'auto-generated' },
      });
    },
    close: () => transport.close(),
  };
}

/** The server has said that it will never take this mail; anything else may pass. */
export const isRefused = (error: unknown): boolean => {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  // Replies about our login or the server's own state do not concern this mail.
  return (
    responseCode !== undefined && responseCode >= 550 && responseCode < 560 && /RCPT|DATA/.test(command ?? '')
  );
};

import { randomFillSync } from 'node:crypto';
import type { Database } from '@verdict/db/database/client.js';
import { oldestMailSeconds } from '@verdict/db/people/outgoing-mails.js';
import { runWork } from '@verdict/db/work/run-work.js';
import { createSealer } from '@verdict/domain/sealed-text.js';
import { every } from '@verdict/service-kit/every.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { WorkerConfig } from '../config.js';
import type { WorkerMetrics } from '../metrics.js';

interface Options {
  readonly config: WorkerConfig;
  readonly db: Database;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
  readonly onError: (error: unknown) => void;
}

const OBSERVE_EVERY_MS = 2_000;

/**
 * Sends the mails of the outbox where there is a mail server. The waiting time is measured in any case, so that mails
 * without a sender are noticed.
 */
export async function startMail(options: Options): Promise<{ close(): Promise<void> }> {
  const { db, metrics, onError } = options;
  const observe = async () => metrics.mailOldestSeconds.set(await oldestMailSeconds(db));
  const stopObserving = every(OBSERVE_EVERY_MS, observe, onError);
  const sending = await startSending(options);
  return {
    async close() {
      await stopObserving();
      await sending?.close();
    },
  };
}

async function startSending({ config, db, metrics, log, onError }: Options) {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, PUBLIC_URL: publicUrl, SECRETS_KEY: keys } = config;
  if (!smtpUrl || !from || !publicUrl || !keys) return null;
  // Where there is a mail server only: the library is a fifteenth of what a worker loads.
  const { createMailTransport } = await import('@verdict/mail/mail-transport.js');
  const { mailWork } = await import('./mail-work.js');
  const transport = createMailTransport(smtpUrl, from);
  const sealer = createSealer(keys, randomFillSync);
  const sending = runWork(db, mailWork({ db, sealer, transport, publicUrl, metrics, log }), onError);
  return {
    async close() {
      await sending.close();
      transport.close();
    },
  };
}

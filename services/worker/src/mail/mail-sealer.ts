import { randomFillSync } from 'node:crypto';
import { createSealer, type Sealer } from '@verdict/domain/sealed-text.js';
import type { WorkerConfig } from '../config.js';

/** Seals the mails of the outbox; null where nothing sends them. */
export const mailSealer = ({
  SMTP_URL: smtpUrl,
  SECRETS_KEY: keys,
}: Pick<WorkerConfig, 'SMTP_URL' | 'SECRETS_KEY'>): Sealer | null =>
  smtpUrl && keys ? createSealer(keys, randomFillSync) : null;

import { randomFillSync } from 'node:crypto';
import type { OutgoingMail } from '@verdict/db/people/outgoing-mails.js';
import { createIdFactory } from '@verdict/domain/id.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import { lifeSecondsOf, type Mail } from '@verdict/mail/mail.js';

const createId = createIdFactory(Date.now, (bytes) => void randomFillSync(bytes));

/** A mail about an account as the outbox keeps it: who may read the database cannot read it. */
export function sealMail(sealer: Sealer, to: string, mail: Mail): OutgoingMail {
  const id = createId('mal');
  const sealed = sealer.seal(JSON.stringify({ to, mail }), id);
  return { id, userId: null, kind: mail.kind, sealed, lifeSeconds: lifeSecondsOf(mail.kind) };
}

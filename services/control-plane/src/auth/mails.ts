import type { Database } from '@verdict/db/database/client.js';
import { createMailToken, type NewMailToken } from '@verdict/db/people/mail-tokens.js';
import type { OutgoingMail } from '@verdict/db/people/outgoing-mails.js';
import { findUser } from '@verdict/db/people/users.js';
import type { CreateId } from '@verdict/domain/id.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import {
  LINK_SECONDS,
  type LinkPurpose,
  lifeSecondsOf,
  type Mail,
  type Occasion,
} from '@verdict/mail/mail.js';
import { forbidden } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import { createLinkToken } from './link-token.js';

type Notice = Extract<Mail, { occasion: Occasion }>;
type Facts = { [Kind in Notice['kind']]: Omit<Extract<Notice, { kind: Kind }>, 'occasion'> }[Notice['kind']];

/** Writes mails to the outbox for the worker. Without a mail server it writes none. */
export function createMails(db: Database, createId: CreateId, sealer: Sealer | null) {
  const compose = (sealing: Sealer, to: string, userId: string | null, mail: Mail): OutgoingMail => {
    const id = createId('mal');
    const sealed = sealing.seal(JSON.stringify({ to, mail }), id);
    return { id, userId, kind: mail.kind, sealed, lifeSeconds: lifeSecondsOf(mail.kind) };
  };

  return {
    on: sealer !== null,

    /** A mail for the audit record of its cause. */
    async notice(request: FastifyRequest, userId: string, facts: Facts): Promise<{ mail?: OutgoingMail }> {
      const user = sealer && (await findUser(db, userId));
      if (!sealer || !user) return {};
      return { mail: compose(sealer, user.email, userId, { ...facts, occasion: occasionOf(request) }) };
    },

    /** An invitation, for the audit record of its row. It goes to an address that may have no user. */
    async invitation(
      to: string,
      {
        token,
        role,
        invitedBy,
      }: { readonly token: string; readonly role: string; readonly invitedBy: string },
    ): Promise<{ mail?: OutgoingMail }> {
      const by = sealer && (await findUser(db, invitedBy));
      if (!sealer || !by) return {};
      return { mail: compose(sealer, to, null, { kind: 'invitation', token, by: by.email, role }) };
    },

    /**
     * Creates a link for an address, registered or not. The work is the same in each case, and the worker decides
     * which mail it becomes.
     */
    async sendLink(
      request: FastifyRequest,
      purpose: LinkPurpose,
      about: Pick<NewMailToken, 'email' | 'name' | 'passwordHash'>,
    ): Promise<void> {
      if (!sealer) throw forbidden('This server cannot send mail. Ask its operator.');
      const { token, hash } = createLinkToken();
      const mail: Mail = { kind: purpose, token, occasion: occasionOf(request) };
      await createMailToken(
        db,
        { hash, purpose, lifeSeconds: LINK_SECONDS[purpose], ...about },
        compose(sealer, about.email, null, mail),
      );
    },
  };
}

const occasionOf = (request: FastifyRequest): Occasion => ({ at: new Date().toISOString(), ip: request.ip });

import { randomBytes } from 'node:crypto';
import { findLogin } from '@verdict/db/people/users.js';
import type { SsoConnection } from '@verdict/db/sso/sso-connection.js';
import { findMemberOf, type Identity, joinBySignOn } from '@verdict/db/sso/sso-identities.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { ssoRefused } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import { mailboxOfUser } from '../auth/judge-sign-up.js';
import { strangerAt } from '../auth/passwords.js';
import type { Dependencies } from '../dependencies.js';
import { auditOf } from '../http/audit-of.js';
import type { Person } from './identity-providers.js';

/** The member, or a user whose password has to confirm first that they are this person. */
export type Found = { readonly userId: string } | { readonly linking: { userId: string; email: string } };

/**
 * Finds the member that a person of the provider is. The subject binds them, never the address: an address that a user
 * has is a claim until their password confirms it, and a new one becomes a member with the default role.
 */
export async function memberOf(
  deps: Pick<Dependencies, 'db' | 'createId' | 'passwords' | 'config'>,
  request: FastifyRequest,
  signal: AbortSignal,
  connection: SsoConnection,
  identity: Identity,
  person: Person,
): Promise<Found> {
  const { db, createId, passwords } = deps;
  const bound = await findMemberOf(db, identity);
  if (bound !== null) return { userId: bound };
  const email = addressOf(person, connection).canonical;
  const login = await findLogin(db, email);
  if (login) return { linking: { userId: login.userId, email } };
  const userId = createId('usr');
  const joined = await joinBySignOn(
    db,
    identity,
    {
      userId,
      email,
      mailbox: mailboxOfUser(deps, email),
      name: person.name?.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 100) || null,
      passwordHash: await passwords.hash(
        randomBytes(32).toString('base64url'),
        strangerAt(request.ip, signal),
      ),
      role: connection.default_role,
      verified: person.isVerified === true,
    },
    auditOf(createId, request, { action: 'member.joined', target: userId, userId }),
  );
  if (!joined)
    throw ssoRefused(
      'Your account has no room for another member, or your address is registered in another spelling. Ask an owner of the account.',
    );
  return { userId };
}

function addressOf({ email, isVerified }: Person, { domains }: SsoConnection): EmailAddress {
  const parsed = email === null ? null : parseEmail(email);
  if (!parsed?.ok)
    throw ssoRefused('Your identity provider did not send your email address. Tell its administrator.');
  if (isVerified === false)
    throw ssoRefused('Your identity provider has not verified your email address. Tell its administrator.');
  const { address } = parsed;
  if (!domains.some(({ domain, proven }) => proven && domain === address.domain))
    throw ssoRefused(`This account does not log in people of ${address.unicodeDomain}.`);
  return address;
}

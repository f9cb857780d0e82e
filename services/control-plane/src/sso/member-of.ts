import { randomBytes } from 'node:crypto';
import { findLogin } from '@verdict/db/people/users.js';
import type { SsoConnection } from '@verdict/db/sso/sso-connection.js';
import { findMemberOf, type Identity, joinBySignOn } from '@verdict/db/sso/sso-identities.js';
import type { OperatorRole } from '@verdict/domain/role.js';
import { ssoRefused } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import { mailboxOfUser } from '../auth/judge-sign-up.js';
import { strangerAt } from '../auth/passwords.js';
import type { Dependencies } from '../dependencies.js';
import { auditOf } from '../http/audit-of.js';
import { addressOf } from './address-of.js';
import type { Person } from './identity-providers.js';

/** The user, or one whose password has to confirm first that they are this person. */
export type Found = (
  | { readonly userId: string }
  | { readonly linking: { readonly userId: string; readonly email: string } }
) & { readonly operatorRole?: OperatorRole };

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
      name: person.name,
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

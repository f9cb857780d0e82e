import { randomBytes } from 'node:crypto';
import { createUser, findLogin } from '@verdict/db/people/users.js';
import { findOperatorOf } from '@verdict/db/sso/operator-identities.js';
import { DEFAULT_PLAN } from '@verdict/domain/plans.js';
import { ssoRefused } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import { mailboxOfUser } from '../auth/judge-sign-up.js';
import { strangerAt } from '../auth/passwords.js';
import type { Dependencies } from '../dependencies.js';
import { auditOf } from '../http/audit-of.js';
import { verifiedAddress } from './address-of.js';
import type { Person } from './identity-providers.js';
import type { Found } from './member-of.js';
import type { OperatorProvider } from './operator-provider.js';

/**
 * Finds the operator that a person of this server's provider is. Each login reads the role from the groups. The
 * subject binds the user: one who has a password confirms with it once, and a new one gets an account.
 */
export async function operatorOf(
  deps: Pick<Dependencies, 'db' | 'createId' | 'passwords' | 'config' | 'project'>,
  request: FastifyRequest,
  signal: AbortSignal,
  provider: OperatorProvider,
  person: Person,
): Promise<Found> {
  const { db, createId, passwords } = deps;
  const operatorRole = provider.roleOf(person.groups);
  if (operatorRole === null) throw ssoRefused('None of your groups opens the operator area of this server.');
  const { issuer, subject } = person;
  const bound = await findOperatorOf(db, { issuer, subject });
  if (bound !== null) return { userId: bound, operatorRole };
  const email = verifiedAddress(person).canonical;
  const login = await findLogin(db, email);
  if (login) return { linking: { userId: login.userId, email }, operatorRole };
  const [userId, accountId] = [createId('usr'), createId('acc')];
  const created = await createUser(
    db,
    {
      ...{ userId, accountId, email, name: person.name, plan: DEFAULT_PLAN },
      mailbox: mailboxOfUser(deps, email),
      passwordHash: await passwords.hash(
        randomBytes(32).toString('base64url'),
        strangerAt(request.ip, signal),
      ),
      verified: person.isVerified === true,
      identity: { issuer, subject },
    },
    auditOf(createId, request, { action: 'user.registered', userId }),
  );
  if (!created) throw ssoRefused('Your address is registered in another spelling. Log in with that one.');
  // Without a key it checks nothing, so if Redis is down the relay writes it later.
  await deps.project(accountId).catch(() => undefined);
  return { userId, operatorRole };
}

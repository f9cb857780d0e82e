import type { Route } from '@verdict/contracts/routes/route.js';
import { hasConfirmedUser } from '@verdict/db/people/users.js';
import { forbidden } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { waitsForConfirmation } from './waits-for-confirmation.js';

/** Where mail is sent, lists, policies and files wait until somebody of the account has confirmed an address. */
export async function requireConfirmed(
  { db, mails }: Pick<Dependencies, 'db' | 'mails'>,
  { authenticated }: FastifyRequest,
  route: Route,
): Promise<void> {
  if (!mails.on || !authenticated || !waitsForConfirmation(route)) return;
  if (await hasConfirmedUser(db, authenticated.account.id)) return;
  throw forbidden('Confirm your email address first. The page Account sends you the link.');
}

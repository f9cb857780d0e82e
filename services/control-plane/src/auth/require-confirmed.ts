import type { Route, Tag } from '@verdict/contracts/routes/route.js';
import { hasConfirmedUser } from '@verdict/db/people/users.js';
import { forbidden } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';

/** What an account keeps in stores that everybody shares. */
const KEPT: readonly Tag[] = ['lists', 'policies', 'jobs'];

/** Where mail is sent, lists, policies and files wait until somebody of the account has confirmed an address. */
export async function requireConfirmed(
  { db, mails }: Pick<Dependencies, 'db' | 'mails'>,
  { authenticated }: FastifyRequest,
  { tag, takes }: Route,
): Promise<void> {
  if (!mails.on || !authenticated || takes.allowance !== 'changes' || !KEPT.includes(tag)) return;
  if (await hasConfirmedUser(db, authenticated.account.id)) return;
  throw forbidden('Confirm your email address first. The page Account sends you the link.');
}

import { findPasswordHash, findUser } from '@verdict/db/people/users.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { readDeviceCookie } from './device-cookie.js';
import type { LoginAttempt } from './login-guard.js';
import { knownUser } from './passwords.js';

type Deps = Pick<Dependencies, 'db' | 'passwords' | 'loginGuard' | 'secondFactors'>;

/** The password once more, and the second factor of whoever has one. A stolen token must not become a place to guess at. */
export async function confirmIdentity(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { current_password, otp }: { readonly current_password: string; readonly otp?: string },
) {
  const { email, attempt } = await passwordOf(deps, request, reply, current_password);
  const factor = await deps.secondFactors.check(request.caller.userId, otp, attempt);
  if (factor === 'missing') throw invalidField('otp', 'is required: a code from your authenticator app');
  if (factor === 'wrong') throw invalidField('otp', 'is wrong or was already used');
  await attempt.succeeded();
  return { email };
}

async function passwordOf(
  { db, passwords, loginGuard }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  password: string,
): Promise<{ email: string; attempt: LoginAttempt }> {
  const { userId } = request.caller;
  const email = (await findUser(db, userId))?.email ?? '';
  const attempt = await loginGuard.attempt(email, { ip: request.ip, device: readDeviceCookie(request) });
  const by = knownUser(userId, whileOpen(reply));
  if (!(await passwords.matches(await findPasswordHash(db, userId), password, by))) {
    throw invalidField('current_password', 'is wrong');
  }
  return { email, attempt };
}

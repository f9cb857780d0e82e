import { findLogin, type Login } from '@verdict/db/people/users.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { credentialsWrong, secondFactorRequired, secondFactorWrong } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import type { LoginAttempt } from './login-guard.js';
import { strangerAt } from './passwords.js';
import { tellOfGuesses } from './tell-of-guesses.js';

/** A placeholder for text that is not an address: it takes the same steps as a real one. */
const NOBODY = 'nobody@invalid';

type Deps = Pick<
  Dependencies,
  'db' | 'redis' | 'createId' | 'mails' | 'passwords' | 'loginGuard' | 'secondFactors'
>;

interface Shown {
  readonly email: string;
  readonly password: string;
  readonly otp?: string | undefined;
  /** Sign of a browser that may be known. */
  readonly device?: string | undefined;
}

interface CheckedLogin {
  readonly login: Login;
  readonly attempt: LoginAttempt;
  /** A code was shown. */
  readonly secondFactor: boolean;
}

/** The user of an address and a password, with a code where they have a second factor. */
export async function checkLogin(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { email: text, password, otp, device }: Shown,
): Promise<CheckedLogin> {
  const { db, passwords, loginGuard, secondFactors } = deps;
  const parsed = parseEmail(text);
  const email = parsed.ok ? parsed.address.canonical : NOBODY;
  const attempt = await loginGuard.attempt(email, { ip: request.ip, device });
  const login = await findLogin(db, email);
  const by = {
    ...strangerAt(request.ip, whileOpen(reply)),
    isKnown: attempt.knownDevice || attempt.knownAddress,
  };
  const matches = await passwords.matches(login?.passwordHash ?? null, password, by);
  if (!login || !matches) throw credentialsWrong();
  const factor = await secondFactors.check(login.userId, otp, attempt);
  if (factor === 'missing') throw secondFactorRequired();
  if (factor === 'wrong') {
    await tellOfGuesses(deps, request, login);
    throw secondFactorWrong();
  }
  await attempt.succeeded();
  return { login, attempt, secondFactor: factor === 'shown' };
}

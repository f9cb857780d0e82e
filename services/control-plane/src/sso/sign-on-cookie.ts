import { SIGN_ON_COOKIE } from '@verdict/contracts/dashboard/auth-api.js';
import type { OperatorRole } from '@verdict/domain/role.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authCookie, readCookie } from '../http/auth-cookie.js';
import type { Expected } from './identity-providers.js';

const SECONDS = 600;

/** The provider that a login began with. */
export interface Began {
  /** The account that named it; null for operators, whose provider is the server's. */
  readonly accountId: string | null;
  readonly issuer: string;
  readonly clientId: string;
}

/** A login that waits for the answer of the provider. */
export interface Waiting extends Began, Expected {
  readonly callback: string;
}

/** Somebody whom the provider knows, and whose password is to confirm that they are this user. */
export interface Linking extends Began {
  readonly subject: string;
  readonly userId: string;
  readonly email: string;
  readonly operatorRole?: OperatorRole;
}

interface Kinds {
  readonly waiting: Waiting;
  readonly linking: Linking;
}

/** Keeps a login that is under way in the browser, sealed, so that strangers' attempts fill no store of ours. */
export function setSignOnCookie<Kind extends keyof Kinds>(
  sealer: Sealer,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: Kind,
  login: Kinds[Kind],
): void {
  const sealed = sealer.seal(
    JSON.stringify({ login, expiresAt: Date.now() + SECONDS * 1_000 }),
    aboutCookie(kind),
  );
  reply.header('set-cookie', authCookie(request, SIGN_ON_COOKIE, sealed, SECONDS));
}

export function clearSignOnCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', authCookie(request, SIGN_ON_COOKIE, '', 0));
}

/** Null where there is none, it is over, or it is of the other kind. */
export function readSignOnCookie<Kind extends keyof Kinds>(
  sealer: Sealer,
  request: FastifyRequest,
  kind: Kind,
): Kinds[Kind] | null {
  const text = sealer.open(readCookie(request, SIGN_ON_COOKIE) ?? '', aboutCookie(kind));
  if (text === null) return null;
  // Sealed by us, so it has the shape that we gave it.
  const { login, expiresAt } = JSON.parse(text) as { login: Kinds[Kind]; expiresAt: number };
  return expiresAt > Date.now() ? login : null;
}

const aboutCookie = (kind: keyof Kinds): string => `sign-on cookie: ${kind}`;

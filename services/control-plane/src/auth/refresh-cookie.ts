import { REFRESH_COOKIE } from '@verdict/contracts/dashboard/auth-api.js';
import { forbidden } from '@verdict/service-kit/errors.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authCookie, readCookie } from '../http/auth-cookie.js';
import { setSessionMark } from './session-mark.js';

export function setRefreshCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  seconds: number,
): void {
  reply.header('set-cookie', authCookie(request, REFRESH_COOKIE, token, seconds));
  setSessionMark(request, reply, seconds);
}

export function clearRefreshCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', authCookie(request, REFRESH_COOKIE, '', 0));
  setSessionMark(request, reply, 0);
}

export const readRefreshCookie = (request: FastifyRequest): string | undefined =>
  readCookie(request, REFRESH_COOKIE);

/**
 * Accepts the cookie only if no other site can have sent the request. Bodies are JSON, which a foreign page cannot
 * send without a preflight that we refuse; SameSite keeps the cookie at home, and the browser's own origin headers are
 * checked here.
 */
export function refuseForeignOrigin(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || (site === undefined && origin === undefined)) return;
  if (origin !== undefined && hostOf(origin) === request.host) return;
  throw forbidden('The login cookie works on pages of this server only.');
}

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}

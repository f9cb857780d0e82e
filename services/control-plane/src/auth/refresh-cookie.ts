import { REFRESH_COOKIE } from '@verdict/contracts/dashboard/auth-api.js';
import { forbidden } from '@verdict/service-kit/errors.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authCookie, readCookie } from '../http/auth-cookie.js';

export function setRefreshCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  seconds: number,
): void {
  reply.header('set-cookie', authCookie(request, REFRESH_COOKIE, token, seconds));
}

export function clearRefreshCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', authCookie(request, REFRESH_COOKIE, '', 0));
}

export const readRefreshCookie = (request: FastifyRequest): string | undefined =>
  readCookie(request, REFRESH_COOKIE);

/**
 * The cookie is believed only where no other site can be the author of the request. Bodies are JSON alone, which a foreign
 * page cannot send without asking first, and we never say yes; SameSite keeps the cookie at home; and what the browser itself
 * says about where the request comes from is held against it here.
 */
export function refuseForeignOrigin(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || (site === undefined && origin === undefined)) return;
  if (origin !== undefined && hostOf(origin) === request.host) return;
  throw forbidden('The login cookie is for pages of this server only.');
}

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}

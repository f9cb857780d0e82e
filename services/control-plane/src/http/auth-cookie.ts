import { REFRESH_COOKIE_PATH } from '@verdict/contracts/dashboard/auth-api.js';
import type { FastifyRequest } from 'fastify';

/** A cookie for the authentication routes only, never for scripts and never from another site. */
export const authCookie = (request: FastifyRequest, name: string, value: string, seconds: number): string =>
  [
    `${name}=${value}`,
    `Path=${REFRESH_COOKIE_PATH}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(request.protocol === 'https' ? ['Secure'] : []),
  ].join('; ');

export function readCookie(request: FastifyRequest, wanted: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted && value) return value;
  }
  return undefined;
}

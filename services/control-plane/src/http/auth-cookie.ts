import { REFRESH_COOKIE_PATH } from '@verdict/contracts/dashboard/auth-api.js';
import { forbidden } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';

/** A cookie that no script reads and no other site sends. Over https no other host of the domain can set it either. */
export function authCookie(request: FastifyRequest, name: string, value: string, seconds: number): string {
  const isSecure = request.protocol === 'https';
  return [
    `${nameOf(request, name)}=${value}`,
    `Path=${isSecure ? '/' : REFRESH_COOKIE_PATH}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}

/** Refuses a request with two of one name: one of them is somebody else's. */
export function readCookie(request: FastifyRequest, wanted: string): string | undefined {
  const name = `${nameOf(request, wanted)}=`;
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name));
  if (values.length > 1)
    throw forbidden('There are two login cookies. Delete the cookies of this site and log in again.');
  return values[0]?.slice(name.length) || undefined;
}

/** Browsers take a cookie of this prefix only from the host itself, over https and for all paths. */
const nameOf = ({ protocol }: FastifyRequest, name: string): string =>
  protocol === 'https' ? `__Host-${name}` : name;

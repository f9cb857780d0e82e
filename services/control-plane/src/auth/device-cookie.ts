import { randomBytes } from 'node:crypto';
import { DEVICE_COOKIE } from '@verdict/contracts/dashboard/auth-api.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authCookie, readCookie } from '../http/auth-cookie.js';

/** The longest that browsers keep a cookie. */
const SECONDS = 400 * 86_400;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The cookie that marks a browser its user has logged in with; it grants nothing. */
export function readDeviceCookie(request: FastifyRequest): string | undefined {
  const device = readCookie(request, DEVICE_COOKIE);
  return device !== undefined && SHAPE.test(device) ? device : undefined;
}

export const newDevice = (): string => randomBytes(32).toString('base64url');

export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, device: string): void {
  reply.header('set-cookie', authCookie(request, DEVICE_COOKIE, device, SECONDS));
}

import type { IncomingHttpHeaders } from 'node:http';

type Headers = Record<string, string | string[]>;

/** Hop-by-hop headers by RFC 9110 and by custom; framing is rewritten. */
const HOP_BY_HOP = new Set([
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that we set or that belong between our services: a client's values are not passed on. */
const OURS = new Set([
  'forwarded',
  'host',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-internal-token',
  'x-real-ip',
  'x-request-id',
]);

export const requestHeaders = (headers: IncomingHttpHeaders): Headers =>
  kept(headers, (name) => !OURS.has(name));

export const replyHeaders = (headers: IncomingHttpHeaders): Headers => kept(headers, () => true);

function kept(headers: IncomingHttpHeaders, passes: (name: string) => boolean): Headers {
  const named = new Set(
    String(headers.connection ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase()),
  );
  const passed: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name) && passes(name))
      passed[name] = value;
  }
  return passed;
}

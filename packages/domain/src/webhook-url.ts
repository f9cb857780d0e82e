import ipaddr from 'ipaddr.js';
import { isWebhookAddress, type WebhookPolicy } from './webhook-address.js';

export type WebhookUrlResult =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly message: string };

const WEBHOOK_URL_LENGTH_MAX = 2_048;

/** Names that mean something only inside a network. */
const INSIDE = /^localhost$|^[^.]+$|\.(localhost|local|internal|intranet|lan|corp|home|arpa)$/;

/**
 * Checks a URL without DNS. The parsed URL normalises decimal, octal, hexadecimal and full-width notations; the
 * addresses of a name are checked before every message.
 */
export function parseWebhookUrl(text: string, policy: WebhookPolicy): WebhookUrlResult {
  if (text.length > WEBHOOK_URL_LENGTH_MAX)
    return refuse(`is longer than ${WEBHOOK_URL_LENGTH_MAX} characters`);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return refuse('is not an https address');
  if (url.username !== '' || url.password !== '') return refuse('must not contain a user or password');
  if (url.hash !== '') return refuse('must not contain a fragment');
  const host = webhookHost(url);
  const isLoopback = policy.loopback && (host === 'localhost' || isIn('loopback', host));
  const isListed = policy.privateHosts.has(host);
  if (url.protocol === 'http:' && !isLoopback && !isListed) return refuse('must begin with https://');
  if (
    ipaddr.isValid(host)
      ? !isWebhookAddress(host, host, policy)
      : INSIDE.test(host) && !isLoopback && !isListed
  ) {
    return refuse('points to an address that webhooks must not reach');
  }
  return { ok: true, url: url.href };
}

/** The host without the brackets of IPv6 and without a final dot, which means the same. */
export const webhookHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const isIn = (range: string, host: string): boolean =>
  ipaddr.isValid(host) && ipaddr.parse(host).range() === range;

const refuse = (message: string): WebhookUrlResult => ({ ok: false, message });

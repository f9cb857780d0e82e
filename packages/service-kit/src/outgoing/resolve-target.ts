import type { LookupAddress } from 'node:dns';
import { isWebhookAddress, type WebhookPolicy } from '@verdict/domain/webhook-address.js';
import { parseWebhookUrl, webhookHost } from '@verdict/domain/webhook-url.js';
import ipaddr from 'ipaddr.js';

export type Lookup = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Where a message goes: the addresses are what is connected to, the name only what the certificate is for. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

/** Why nothing is sent there, for the owner of the endpoint. */
export class TargetRefused extends Error {
  override name = 'TargetRefused';
}

/**
 * Resolves the name once and checks every address: one private address refuses the name. The connection uses these
 * addresses without another look-up, which could give another answer.
 */
export async function resolveTarget(
  text: string,
  policy: WebhookPolicy,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<Target> {
  // The rules may have become stricter since the endpoint was made.
  const judged = parseWebhookUrl(text, policy);
  if (!judged.ok) throw new TargetRefused(`the address ${judged.message}`);
  const url = new URL(judged.url);
  const host = webhookHost(url);
  const addresses = ipaddr.isValid(host)
    ? [{ address: host, family: ipaddr.parse(host).kind() === 'ipv6' ? 6 : 4 }]
    : await lookup(host, signal);
  // One sentence for a private name and a missing one, or senders could list the names of our network.
  if (addresses.length === 0 || !addresses.every(({ address }) => isWebhookAddress(address, host, policy)))
    throw new TargetRefused('the name has no public address');
  return { url, addresses };
}

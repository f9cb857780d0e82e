import ipaddr from 'ipaddr.js';

/** How far inwards webhooks may go. */
export interface WebhookPolicy {
  /** Hosts, as written in a URL, that may be in private ranges and use plain HTTP. */
  readonly privateHosts: ReadonlySet<string>;
  /** For development on one machine; otherwise never. */
  readonly loopback: boolean;
}

export const webhookPolicy = (privateHosts: string, loopback: 'never' | 'allowed'): WebhookPolicy => ({
  privateHosts: new Set(
    privateHosts
      .split(',')
      .map((host) =>
        host
          .trim()
          .toLowerCase()
          .replace(/^\[|\]$/g, ''),
      )
      .filter(Boolean),
  ),
  loopback: loopback === 'allowed',
});

/** Global unicast; the rest of IPv6 is private, reserved, or another notation of IPv4. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const PRIVATE_RANGES: readonly string[] = ['private', 'uniqueLocal', 'carrierGradeNat'];

/** Cloud metadata addresses, which give machines their keys. No setting allows them. */
const METADATA = [
  ipaddr.parseCIDR('100.100.100.200/32'),
  ipaddr.parseCIDR('168.63.129.16/32'),
  ipaddr.parseCIDR('192.0.0.192/32'),
  ipaddr.parseCIDR('fd00:ec2::/32'),
  ipaddr.parseCIDR('fd20:ce::/32'),
];

/** Whether a message to this host may go to this address, one of those that its name led to. */
export function isWebhookAddress(address: string, host: string, policy: WebhookPolicy): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (METADATA.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits)))
    return false;
  const range = parsed.range();
  if (range === 'loopback') return policy.loopback;
  if (PRIVATE_RANGES.includes(range)) return policy.privateHosts.has(host);
  return range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6));
}

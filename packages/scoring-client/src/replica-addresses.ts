import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

export type LookUpAll = (hostname: string) => Promise<readonly string[]>;

/**
 * The addresses behind the configured URLs, one URL each, because a scaled Compose service or a headless Kubernetes
 * Service resolves to several replicas. A name that cannot be resolved is kept, and so is https, whose certificate
 * names the host.
 */
export async function replicaAddresses(
  urls: readonly string[],
  lookUpAll: LookUpAll = lookUpWithSystem,
): Promise<string[]> {
  const found = await Promise.all(urls.map((url) => addressesOf(url, lookUpAll)));
  return [...new Set(found.flat())].sort();
}

async function addressesOf(text: string, lookUpAll: LookUpAll): Promise<string[]> {
  const url = new URL(text);
  if (url.protocol !== 'http:' || isIP(url.hostname.replace(/^\[|\]$/g, ''))) return [url.origin];
  try {
    const addresses = await lookUpAll(url.hostname);
    return addresses.length === 0 ? [url.origin] : addresses.map((address) => withHost(url, address));
  } catch {
    return [url.origin];
  }
}

function withHost(url: URL, address: string): string {
  const host = isIP(address) === 6 ? `[${address}]` : address;
  return new URL(`${url.protocol}//${host}${url.port ? `:${url.port}` : ''}`).origin;
}

const lookUpWithSystem: LookUpAll = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

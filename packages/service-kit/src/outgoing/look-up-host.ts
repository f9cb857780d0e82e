import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import type { Lookup } from './resolve-target.js';

/** DNS gave no answer in time, or none that can be used; this says nothing about the endpoint. */
export class NameUnanswered extends Error {
  override name = 'NameUnanswered';
}

interface Options {
  /** The text of /etc/hosts: what the operator wrote there comes before DNS. */
  readonly hostsFile: string;
  /** Instead of those of the system. */
  readonly servers?: readonly string[];
}

const TIMEOUT_MS = 2_000;
/** DNS has answered: there is no such name, or it has no address of this family. */
const ANSWERED: readonly string[] = ['ENOTFOUND', 'ENODATA'];

/**
 * Looks names up without the threads that all of Node shares, within two seconds. A resolver of its own for each look-up
 * can be canceled, so that a slow name server holds up nobody else's messages.
 */
export function createHostLookup({ hostsFile, servers }: Options): Lookup {
  const known = readHosts(hostsFile);
  return async (host, signal) => {
    const written = known.get(host);
    if (written) return written;
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
    if (servers) resolver.setServers(servers);
    const ended = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const cancel = () => resolver.cancel();
    ended.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([
        resolver.resolve4(host).then((all) => all.map((address) => ({ address, family: 4 }))),
        resolver.resolve6(host).then((all) => all.map((address) => ({ address, family: 6 }))),
      ]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length > 0) return found;
      const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []));
      if (codes.some((code) => !ANSWERED.includes(code)))
        throw new NameUnanswered('the name could not be resolved');
      return found;
    } finally {
      ended.removeEventListener('abort', cancel);
    }
  };
}

function readHosts(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!ipaddr.isValid(address)) continue;
    const family = ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4;
    for (const name of names.map((one) => one.toLowerCase()))
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
  }
  return hosts;
}

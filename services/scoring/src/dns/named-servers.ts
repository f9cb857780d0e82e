import { isSharedHost } from '@verdict/datasets/mail-hosts.js';
import { mailText } from '@verdict/domain/mail-servers.js';
import { registrableDomain } from './registrable-domain.js';

const HOSTS_MAX = 4;
const HOST_CHARS_MAX = 100;
/** Names come from the DNS of strangers: only plain host names travel on. */
const PLAIN = /^([a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/;

/**
 * The mail servers of a domain as a verdict carries them, '' for none. Of a shared host the first server is enough; a very long
 * name keeps its last labels, so that an entry for its domain still finds it.
 */
export function namedServers(found: readonly string[]): string {
  const hosts: string[] = [];
  const shared = new Set<string>();
  for (const name of found) {
    const host = shortened(name);
    if (!PLAIN.test(host) || hosts.includes(host)) continue;
    if (isSharedHost(host)) {
      const operator = registrableDomain(host);
      if (shared.has(operator)) continue;
      shared.add(operator);
    }
    if (hosts.push(host) === HOSTS_MAX) break;
  }
  const [preferred] = hosts;
  return preferred === undefined ? '' : mailText({ operator: registrableDomain(preferred), hosts });
}

function shortened(name: string): string {
  let host = name;
  while (host.length > HOST_CHARS_MAX && host.includes('.')) host = host.slice(host.indexOf('.') + 1);
  return host;
}

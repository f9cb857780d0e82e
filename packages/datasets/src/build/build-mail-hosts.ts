import { isSharedHost } from '../mail-hosts.js';
import { readMailHosts } from '../read-mail-hosts.js';

/** The hand list without its evidence. A host that honest mail shares stops the build. */
export function buildMailHosts(lines: readonly string[], neverMatched: ReadonlySet<string>): string[] {
  const kept = lines.map((line) => line.split(/\s+/).slice(0, 2).join(' '));
  const shared = [...readMailHosts(kept).keys()].filter(
    (host) => isSharedHost(host) || neverMatched.has(host),
  );
  if (shared.length > 0) throw new Error(`honest mail shares these mail hosts: ${shared.join(', ')}`);
  return kept;
}

import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 2_000;

/** The TXT record that proves a domain. */
export const recordOf = (domain: string, proof: string): { name: string; value: string } => ({
  name: `_verdict.${domain}`,
  value: `verdict-domain=${proof}`,
});

/** The domains for which DNS has that record. No answer within two seconds is a no; the owner asks again. */
export async function findProven(
  domains: readonly string[],
  proof: string,
  servers: readonly string[],
): Promise<string[]> {
  // One for all of them, because each opens sockets.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  const found = domains.map(async (domain) => {
    const { name, value } = recordOf(domain, proof);
    const records = await resolver.resolveTxt(name).catch(() => []);
    return records.some((parts) => parts.join('').trim() === value);
  });
  const proven = await Promise.all(found);
  clearTimeout(late);
  return domains.filter((_, i) => proven[i]);
}

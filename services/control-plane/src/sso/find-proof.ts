import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 2_000;

/** The TXT record that proves a domain. */
export const recordOf = (domain: string, proof: string): { name: string; value: string } => ({
  name: `_verdict.${domain}`,
  value: `verdict-domain=${proof}`,
});

/** Whether DNS has that record. No answer within two seconds is a no; the owner asks again. */
export async function findProof(domain: string, proof: string, servers: readonly string[]): Promise<boolean> {
  const { name, value } = recordOf(domain, proof);
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  try {
    const records = await resolver.resolveTxt(name);
    return records.some((parts) => parts.join('').trim() === value);
  } catch {
    return false;
  } finally {
    clearTimeout(late);
  }
}

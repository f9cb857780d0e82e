/** `fleet`: counted behind many domains, nearly all disposable. `reported`: named by a list, without counts. */
export type MailHostTier = 'fleet' | 'reported';

/** Reads lines of `host tier`. Throws on any other form. */
export function readMailHosts(lines: readonly string[]): Map<string, MailHostTier> {
  const hosts = new Map<string, MailHostTier>();
  for (const line of lines) {
    const [host = '', tier, ...rest] = line.split(' ');
    if (host === '' || (tier !== 'fleet' && tier !== 'reported') || rest.length > 0)
      throw new Error(`disposable-mail-hosts.txt: "${line}" is malformed`);
    hosts.set(host, tier);
  }
  return hosts;
}

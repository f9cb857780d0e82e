import { Resolver } from 'node:dns/promises';

/** Whether a mail domain that certainly has mail servers is seen to have them from here. */
export async function isDnsAnswering(servers = process.env.DNS_SERVERS) {
  const resolver = new Resolver({ timeout: 1000, tries: 1 });
  try {
    if (servers) resolver.setServers(servers.split(',').map((server) => server.trim()));
    return (await resolver.resolveMx('gmail.com')).length > 0;
  } catch {
    return false;
  }
}

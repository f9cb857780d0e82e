import { countryName } from '../../ui/format/country-name.ts';
import { formatLongDay } from '../../ui/format/format.ts';

export const LOGS_TEXTS = {
  decision: 'Decision',
  ranges: { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  clear: 'Clear filters',
  hints: {
    wholeAddress: 'Enter an address, such as jane@example.com.',
    wholeIp: 'Enter an IP address or a network, such as 203.0.113.7 or 203.0.113.0/24.',
    wholeId: 'Enter the whole id.',
    noSpaces: 'Addresses, domains and IPs have no spaces.',
  },
  groupings: {
    hour: 'Hour',
    domain: 'Domain',
    shape: 'Domain shape',
    mail_host: 'Mail host',
    network: 'Network',
    as: 'Autonomous system',
    mailbox: 'Mailbox',
    reason: 'Reason',
    rule: 'Rule',
  },
  chosen: (count: number) =>
    count === 1 ? 'Only the check that the link names.' : `Only the ${count} checks that the link names.`,
};

export const LOG_TEXTS = {
  listing: (entry: string, source: string, since: string, earlier: boolean) =>
    `${entry}: ${source}, listed ${earlier ? 'before' : 'since'} ${since}`,
  wasListed: (entry: string, source: string, from: string | null, to: string) =>
    `${entry}: ${source}, ${from === null ? 'until' : `${formatLongDay(from)} to`} ${formatLongDay(to)}`,
  networks: {
    relay: 'Private relay of Apple, shared by many people',
    tor: 'Tor exit',
    vpn: 'VPN',
    hosting: 'Hosting provider',
  } as Record<string, string>,
  networkLists: {
    relay: 'MISP, X4BNet lists_vpn',
    tor: 'Tor Project',
    vpn: 'X4BNet lists_vpn',
    hosting: 'X4BNet lists_vpn',
  } as Record<string, string>,
  originOf: (organisation: string | null, asn: number | null, country: string | null) =>
    [organisation, asn === null ? null : `AS${asn}`, country && countryName(country)]
      .filter((part) => part !== null)
      .join(', '),
  originBy: { label: 'IP geolocation by DB-IP', href: 'https://db-ip.com' },
};

import ipaddr from 'ipaddr.js';

/** A mail server name that can never be reached: localhost, a bare label, an IP written as a name. */
export function isUnroutableHost(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host.endsWith('.local') ||
    host.endsWith('.invalid') ||
    !host.includes('.') ||
    ipaddr.isValid(host)
  );
}

/** Private, loopback, link-local, documentation and the like: anything but public unicast. */
export function isUnroutableAddress(address: string): boolean {
  return !ipaddr.isValid(address) || ipaddr.parse(address).range() !== 'unicast';
}

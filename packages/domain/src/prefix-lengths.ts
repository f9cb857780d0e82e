/** Prefix lengths of IPv4 networks, and as many of IPv6, that the lists of an account may have together: a check is compared with each. */
export const PREFIX_LENGTHS_MAX = 16;

/** `4/24`, the family and the length of a network. */
export function prefixLength(network: string): string {
  const [address = '', length] = network.split('/');
  return `${address.includes(':') ? 6 : 4}/${length}`;
}

/** Takes a network while its length is in use or there is room for another one, and notes its length. */
export function takesLength(inUse: Set<string>, network: string): boolean {
  const length = prefixLength(network);
  const family = [...inUse].filter((one) => one[0] === length[0]);
  if (!inUse.has(length) && family.length >= PREFIX_LENGTHS_MAX) return false;
  inUse.add(length);
  return true;
}

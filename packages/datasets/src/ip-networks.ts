import { IP_KINDS, type IpKind } from '@verdict/contracts/ip-network.js';
import { ipWords } from '@verdict/domain/address/ip-words.js';

/** Networks of known kinds. No two of them overlap. */
export interface IpNetworks {
  readonly size: number;
  /** The kind of network that an IP belongs to, in whatever spelling; null for others and for text that is not an IP. */
  kindOf(ip: string): IpKind | null;
}

/** Networks of one IP version, in the order of their addresses. */
interface Table {
  /** Words of one address. */
  readonly width: 1 | 4;
  readonly first: Uint32Array;
  readonly last: Uint32Array;
  readonly kinds: Uint8Array;
}

/** Lines of `203.0.113.0/24 vpn` or `203.0.113.0-203.0.113.2 vpn`. Throws at one that has another form. */
export function createIpNetworks(lines: readonly string[]): IpNetworks {
  const v4 = tableOf(
    lines.filter((line) => !line.includes(':')),
    1,
  );
  const v6 = tableOf(
    lines.filter((line) => line.includes(':')),
    4,
  );
  const asked = new Uint32Array(4);
  return {
    size: lines.length,
    kindOf(ip) {
      const version = ipWords(ip, asked);
      if (version === 0) return null;
      const table = version === 4 ? v4 : v6;
      const at = find(table, asked);
      return at === -1 ? null : (IP_KINDS[table.kinds[at] ?? 0] ?? null);
    },
  };
}

function tableOf(lines: readonly string[], width: Table['width']): Table {
  const first = new Uint32Array(lines.length * width);
  const words = new Uint32Array(4);
  const read = lines.map((line) => {
    const [network = '', kind = ''] = line.split(' ');
    const [from = '', to = ''] = network.split('-');
    const [address = '', length = ''] = from.split('/');
    const known = IP_KINDS.indexOf(kind as IpKind);
    const wordsOf = (text: string): number[] => {
      if (ipWords(text, words) !== (width === 1 ? 4 : 6) || known === -1)
        throw new Error(`ip-networks.txt: "${line}" is malformed`);
      return Array.from(words.subarray(0, width));
    };
    const lowest = wordsOf(address);
    return { lowest, highest: to === '' ? lastOf(lowest, Number(length)) : wordsOf(to), known };
  });
  read.sort((a, b) => compare(a.lowest, 0, b.lowest, 0, width));
  const last = new Uint32Array(first.length);
  read.forEach(({ lowest, highest }, at) => {
    first.set(lowest, at * width);
    last.set(highest, at * width);
  });
  return { width, first, last, kinds: Uint8Array.from(read, ({ known }) => known) };
}

const lastOf = (lowest: readonly number[], length: number): number[] =>
  lowest.map((word, at) => word + 2 ** (32 - Math.min(32, Math.max(0, length - at * 32))) - 1);

/** The position of the network that contains an address, or -1. */
function find({ width, first, last, kinds }: Table, address: Uint32Array): number {
  let low = 0;
  let high = kinds.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (compare(address, 0, first, middle * width, width) < 0) high = middle - 1;
    else if (compare(address, 0, last, middle * width, width) > 0) low = middle + 1;
    else return middle;
  }
  return -1;
}

function compare(
  a: ArrayLike<number>,
  aAt: number,
  b: ArrayLike<number>,
  bAt: number,
  width: number,
): number {
  for (let word = 0; word < width; word++) {
    const difference = (a[aAt + word] ?? 0) - (b[bAt + word] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

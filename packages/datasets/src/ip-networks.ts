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
  const last = new Uint32Array(lines.length * width);
  const kinds = new Uint8Array(lines.length);
  const words = new Uint32Array(4);
  for (const [at, line] of lines.entries()) {
    const [space, dash, slash] = [line.indexOf(' '), line.indexOf('-'), line.indexOf('/')];
    const kind = IP_KINDS.indexOf(line.slice(space + 1) as IpKind);
    const read = (text: string, into: Uint32Array) => {
      if (ipWords(text, words) !== (width === 1 ? 4 : 6) || kind === -1)
        throw new Error(`ip-networks.txt: "${line}" is malformed`);
      for (let word = 0; word < width; word++) into[at * width + word] = words[word] ?? 0;
    };
    read(line.slice(0, dash === -1 ? slash : dash), first);
    if (dash !== -1) read(line.slice(dash + 1, space), last);
    else writeLast(first, last, at * width, width, Number(line.slice(slash + 1, space)));
    kinds[at] = kind;
  }
  return inOrder({ width, first, last, kinds });
}

function writeLast(first: Uint32Array, last: Uint32Array, at: number, width: number, length: number): void {
  for (let word = 0; word < width; word++) {
    const hosts = 32 - Math.min(32, Math.max(0, length - word * 32));
    last[at + word] = (first[at + word] ?? 0) + 2 ** hosts - 1;
  }
}

/** The file is in the order of its texts. */
function inOrder({ width, first, last, kinds }: Table): Table {
  const order = Uint32Array.from(kinds.keys()).sort((a, b) =>
    compare(first, a * width, first, b * width, width),
  );
  const pick = <Words extends Uint32Array | Uint8Array>(from: Words, into: Words, each: number): Words => {
    order.forEach((place, at) => {
      for (let word = 0; word < each; word++) into[at * each + word] = from[place * each + word] ?? 0;
    });
    return into;
  };
  return {
    width,
    first: pick(first, new Uint32Array(first.length), width),
    last: pick(last, new Uint32Array(last.length), width),
    kinds: pick(kinds, new Uint8Array(kinds.length), 1),
  };
}

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

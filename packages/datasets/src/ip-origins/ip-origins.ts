import type { IpOrigin } from '@verdict/contracts/ip-network.js';
import { ipWords } from '@verdict/domain/address/ip-words.js';

/** Countries and autonomous systems of all addresses. */
export interface IpOrigins {
  /** Of an IP in whatever spelling; all null for reserved and unannounced addresses, and for text that is not an IP. */
  originOf(ip: string): IpOrigin;
}

export const ORIGINS_MAGIC = 'verdict-ip-origins 1 ';
export const NONE = 0;
/** The tables of the file, in their order. */
export const SPACES = [
  { of: 'systems', version: 4 },
  { of: 'systems', version: 6 },
  { of: 'countries', version: 4 },
  { of: 'countries', version: 6 },
] as const;

/** The first line of the file. */
export interface OriginsHeader {
  /** Day of the data. */
  readonly as_of: { readonly systems: string; readonly countries: string };
  readonly systems: number;
  readonly countries: readonly string[];
  /** Rows of each table. */
  readonly stretches: readonly number[];
  /** IPv4 addresses, or IPv6 networks of /48, that have a value in each table. */
  readonly covered: readonly number[];
  /** Of the columns, unpacked. */
  readonly bytes: number;
  readonly sha256: string;
}

/** Stretches of addresses with one value each, in order; the next one ends it. */
interface Table {
  /** One column for each word of an address. */
  readonly starts: readonly Uint32Array[];
  readonly values: Uint32Array | Uint8Array;
  /** How many stretches begin before each 65,536th of the address space: a search then touches little memory. */
  readonly before: Uint32Array;
}

const NOWHERE: IpOrigin = { country: null, asn: null, organisation: null };
const PART_BITS = 16;
const PARTS = 2 ** PART_BITS;

/** Knows nothing. */
export const NO_ORIGINS: IpOrigins = { originOf: () => NOWHERE };

/** Reads unpacked columns without copying them: a look-up is two binary searches in typed arrays. */
export function createIpOrigins(header: OriginsHeader, columns: Buffer): IpOrigins {
  let at = 0;
  const take = (length: number) => {
    const from = at;
    at += length;
    if (at > columns.length) throw new Error('ip origins: the columns are cut off');
    return columns.subarray(from, at);
  };
  const words = (count: number) => {
    const bytes = take(count * 4);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, count);
  };
  const numbers = words(header.systems);
  const starts = SPACES.map(({ version }, table) => {
    const count = header.stretches[table] ?? 0;
    const own = Array.from({ length: version === 4 ? 1 : 4 }, () => words(count));
    sumUp(own[0] as Uint32Array);
    return own;
  });
  const values = SPACES.map(({ of }, table) => {
    const count = header.stretches[table] ?? 0;
    return of === 'systems' ? words(count) : take(count);
  });
  const names = take(columns.length - at)
    .toString('utf8')
    .split('\n');
  if (names.length !== header.systems + 1) throw new Error('ip origins: the organisations are cut off');
  const table = (at: number): Table => {
    const own = starts[at] ?? [];
    return {
      starts: own,
      values: values[at] ?? new Uint8Array(),
      before: countBefore(own[0] ?? new Uint32Array()),
    };
  };
  const tables = { systems: { 4: table(0), 6: table(1) }, countries: { 4: table(2), 6: table(3) } };
  const asked = new Uint32Array(4);
  return {
    originOf(ip) {
      const version = ipWords(ip, asked);
      if (version === 0) return NOWHERE;
      const system = find(tables.systems[version], asked);
      const country = find(tables.countries[version], asked);
      if (system === NONE && country === NONE) return NOWHERE;
      return {
        country: country === NONE ? null : (header.countries[country - 1] ?? null),
        asn: system === NONE ? null : (numbers[system - 1] ?? null),
        organisation: system === NONE ? null : names[system - 1] || null,
      };
    },
  };
}

function sumUp(differences: Uint32Array): void {
  let sum = 0;
  for (let at = 0; at < differences.length; at++) {
    sum += differences[at] ?? 0;
    differences[at] = sum;
  }
}

function countBefore(starts: Uint32Array): Uint32Array {
  const before = new Uint32Array(PARTS + 1);
  for (const start of starts)
    before[(start >>> PART_BITS) + 1] = (before[(start >>> PART_BITS) + 1] ?? 0) + 1;
  sumUp(before);
  return before;
}

/** The value of the last stretch that begins at or before an address. */
function find({ starts, values, before }: Table, address: Uint32Array): number {
  const first = starts[0] as Uint32Array;
  const wanted = address[0] as number;
  const part = wanted >>> PART_BITS;
  let low = before[part] as number;
  let high = before[part + 1] as number;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = first[middle] as number;
    if (start > wanted || (start === wanted && isAfter(starts, middle, address))) high = middle;
    else low = middle + 1;
  }
  return low === 0 ? NONE : (values[low - 1] as number);
}

/** Compares the words behind the first. */
function isAfter(starts: readonly Uint32Array[], at: number, address: Uint32Array): boolean {
  for (let word = 1; word < starts.length; word++) {
    const difference = (starts[word]?.[at] ?? 0) - (address[word] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

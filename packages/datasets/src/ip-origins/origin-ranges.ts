import { ipWords } from '@verdict/domain/address/ip-words.js';
import { RESERVED_NETWORKS } from '../reserved-networks.js';

/** Addresses from `first` to `last` that have one value. */
export interface OriginRange {
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
  /** A country, or the number of an autonomous system. */
  readonly value: string;
  /** Operator of the autonomous system; empty in lists of countries. */
  readonly organisation: string;
}

const words = new Uint32Array(4);

/** Reads `1.0.0.0,1.0.0.255,13335,"Cloudflare, Inc."`. Undefined for a line of another form. */
export function readOriginRange(line: string): OriginRange | undefined {
  const match = /^([^,]+),([^,]+),([^,]+)(?:,(.*))?$/.exec(line);
  const [, from = '', to = '', value = '', named = ''] = match ?? [];
  const [first, last] = [addressOf(from), addressOf(to)];
  if (!first || !last || first.version !== last.version || first.address > last.address) return undefined;
  const organisation = named.startsWith('"') ? named.slice(1, -1).replaceAll('""', '"') : named;
  return { version: first.version, first: first.address, last: last.address, value, organisation };
}

function addressOf(text: string): { version: 4 | 6; address: bigint } | undefined {
  const version = ipWords(text, words);
  if (version === 0) return undefined;
  let address = 0n;
  for (let word = 0; word < (version === 4 ? 1 : 4); word++)
    address = (address << 32n) | BigInt(words[word] ?? 0);
  return { version, address };
}

/** Where a value begins; null where none does. The next one ends it. */
export interface Stretch {
  readonly from: bigint;
  readonly value: string | null;
}

/**
 * The whole address space of one version as stretches. Where ranges overlap the one that begins first holds, and
 * reserved addresses have no value, because a visitor never has one.
 */
export function toStretches(ranges: readonly OriginRange[], version: 4 | 6): Stretch[] {
  const end = 1n << (version === 4 ? 32n : 128n);
  const own = ranges.filter((range) => range.version === version);
  const sorted = own.toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const reserved = RESERVED_NETWORKS.map(readNetwork).filter((network) => network.version === version);
  const stretches: Stretch[] = [];
  const add = (from: bigint, value: string | null) => {
    if (stretches.length === 0 || stretches.at(-1)?.value !== value) stretches.push({ from, value });
  };
  let next = 0n;
  for (const { first, last, value } of sorted) {
    let begin = later(first, next);
    if (last < begin) continue;
    if (begin > next) add(next, null);
    next = last + 1n;
    for (const network of reserved) {
      if (network.after <= begin || network.first >= next) continue;
      if (network.first > begin) add(begin, value);
      add(later(network.first, begin), null);
      begin = network.after;
    }
    if (begin < next) add(begin, value);
  }
  if (next < end) add(next, null);
  return stretches;
}

const later = (a: bigint, b: bigint): bigint => (a < b ? b : a);

function readNetwork(text: string): { version: 4 | 6; first: bigint; after: bigint } {
  const [address = '', length = ''] = text.split('/');
  const read = addressOf(address);
  if (!read) throw new Error(`${text} is not a network`);
  const bits = BigInt(read.version === 4 ? 32 : 128) - BigInt(length);
  return { version: read.version, first: read.address, after: read.address + (1n << bits) };
}

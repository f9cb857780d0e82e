import { setImmediate as nextTurn } from 'node:timers/promises';
import { TIER_BITS, TIERS } from './evidence.js';

/**
 * Keeps 163,000 names as the bytes of the file with a hash table of line numbers: 6 MB that the collector never walks,
 * instead of 20 MB of heap. The hash runs from the last character to the first, so one pass over a domain yields the
 * hash of every parent.
 */
export interface DomainTable {
  readonly size: number;
  /** Evidence of the name and of all its listed parents together, or nothing. */
  find(domain: string): TableHit | undefined;
  has(domain: string): boolean;
  /** Each listed name among the domain and its parents with the sources that list it, the most specific first. */
  listings(domain: string): TableListing[];
  /** Every name, for checks at load time. */
  names(): Generator<string>;
}

export interface TableHit {
  /** The most specific listed name. */
  readonly name: string;
  readonly evidence: number;
  /** Position in the manifest's list of operators, or -1. */
  readonly operator: number;
}

export interface TableListing {
  readonly name: string;
  /** Bits of sources, in the order of the manifest. */
  readonly sources: number;
}

const LINE_FEED = 10;
const SPACE = 32;
const DOT = 46;
const NO_OPERATOR = 0xffff;
const SOURCE_BITS_MAX = 24;
/** Without separate sources, the bits of a line are the tiers. */
const BARE_TIERS = TIERS.map((tier) => TIER_BITS[tier]);

/** Lines read per turn of the event loop: a millisecond or two, so that a load delays no request. */
const LINES_PER_TURN = 2500;

/**
 * Reads lines of `domain sources [operator]`; sources are bits in hexadecimal digits, and `tiers` says for each bit how far
 * it is trusted. Throws on any other form.
 */
export function createDomainTable(bytes: Buffer, tiers: readonly number[] = BARE_TIERS): DomainTable {
  const { table, readLines } = beginDomainTable(bytes, tiers);
  readLines(Number.POSITIVE_INFINITY);
  return table;
}

/**
 * The same in slices, for a process that answers requests meanwhile: 163,000 lines in one go are a pause that clients
 * notice.
 */
export async function loadDomainTable(bytes: Buffer, tiers?: readonly number[]): Promise<DomainTable> {
  const { table, readLines } = beginDomainTable(bytes, tiers ?? BARE_TIERS);
  while (!readLines(LINES_PER_TURN)) await nextTurn();
  return table;
}

interface UnreadTable {
  readonly table: DomainTable;
  /** Reads on; true when everything was read. */
  readLines(count: number): boolean;
}

function beginDomainTable(bytes: Buffer, tiers: readonly number[]): UnreadTable {
  const size = countLines(bytes);
  const [starts, sources] = [new Uint32Array(size), new Uint32Array(size)];
  const [lengths, evidences] = [new Uint8Array(size), new Uint8Array(size)];
  const evidenceOf = createTierReader(tiers);
  const bitsMax = 2 ** tiers.length;
  const operators = new Uint16Array(size).fill(NO_OPERATOR);
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, size * 2))));
  const mask = slots.length - 1;

  let line = 0;
  let start = 0;
  /** One loop over the bytes: a start spends a tenth of its CPU here. */
  function readLines(count: number): boolean {
    const until = line + count;
    let entry = line;
    let at = start;
    for (; at < bytes.length && entry < until; entry++, at++) {
      const from = at;
      let hash = 0;
      while (at < bytes.length && bytes[at] !== SPACE && bytes[at] !== LINE_FEED) at++;
      const length = at - from;
      for (let i = at - 1; i >= from; i--) hash = step(hash, bytes[i] ?? 0);
      let bits = 0;
      for (at++; digitOf(bytes[at]) !== -1; at++) bits = bits * 16 + digitOf(bytes[at]);
      const isName = bytes[from + length] === SPACE && length > 0 && length <= 253;
      if (!isName || bits === 0 || bits >= bitsMax) throw malformed(entry);
      if (bytes[at] === SPACE) {
        const first = at + 1;
        let operator = 0;
        for (at = first; isDecimal(bytes[at]); at++) operator = operator * 10 + digitOf(bytes[at]);
        if (at === first || operator >= NO_OPERATOR) throw malformed(entry);
        operators[entry] = operator;
      }
      if (bytes[at] !== LINE_FEED) throw malformed(entry);
      starts[entry] = from;
      lengths[entry] = length;
      sources[entry] = bits;
      evidences[entry] = evidenceOf(bits);
      let slot = spread(hash) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    line = entry;
    start = at;
    return start >= bytes.length;
  }

  const table: DomainTable = {
    size,
    find(domain) {
      let name: string | undefined;
      let evidence = 0;
      let operator = NO_OPERATOR;
      let hash = 0;
      for (let i = domain.length - 1; i >= 0; i--) {
        hash = step(hash, domain.charCodeAt(i));
        if (i !== 0 && domain.charCodeAt(i - 1) !== DOT) continue;
        const entry = lookUp(hash, domain, i);
        if (entry === -1) continue;
        name = domain.slice(i);
        evidence |= evidences[entry] ?? 0;
        const own = operators[entry] ?? NO_OPERATOR;
        if (own !== NO_OPERATOR) operator = own;
      }
      if (name === undefined) return undefined;
      return { name, evidence, operator: operator === NO_OPERATOR ? -1 : operator };
    },
    has: (domain) => lookUp(hashFrom(domain, 0), domain, 0) !== -1,
    listings(domain) {
      const found: TableListing[] = [];
      for (let from = 0; from !== -1; from = nextLabel(domain, from)) {
        const entry = lookUp(hashFrom(domain, from), domain, from);
        if (entry !== -1) found.push({ name: domain.slice(from), sources: sources[entry] ?? 0 });
      }
      return found;
    },
    *names() {
      for (let entry = 0; entry < size; entry++) {
        const start = starts[entry] ?? 0;
        yield bytes.toString('latin1', start, start + (lengths[entry] ?? 0));
      }
    },
  };
  return { table, readLines };

  /** Entry whose name is `domain` from `from` on, or -1. */
  function lookUp(hash: number, domain: string, from: number): number {
    for (let slot = spread(hash) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = (slots[slot] ?? 0) - 1;
      const length = lengths[entry] ?? 0;
      if (length !== domain.length - from) continue;
      const start = starts[entry] ?? 0;
      let i = 0;
      while (i < length && bytes[start + i] === domain.charCodeAt(from + i)) i++;
      if (i === length) return entry;
    }
    return -1;
  }
}

function hashFrom(domain: string, from: number): number {
  let hash = 0;
  for (let i = domain.length - 1; i >= from; i--) hash = step(hash, domain.charCodeAt(i));
  return hash;
}

/** Where the parent of the name at `from` begins, or -1. */
function nextLabel(domain: string, from: number): number {
  const dot = domain.indexOf('.', from);
  return dot === -1 ? -1 : dot + 1;
}

/** Turns bits of sources into bits of trust. A list has few combinations, so each is worked out once. */
function createTierReader(tiers: readonly number[]): (sources: number) => number {
  if (tiers.length > SOURCE_BITS_MAX) throw new Error(`more than ${SOURCE_BITS_MAX} sources`);
  const known = new Map<number, number>();
  return (sources) => {
    let evidence = known.get(sources);
    if (evidence === undefined) {
      evidence = tiers.reduce((all, tier, bit) => ((sources >>> bit) & 1 ? all | tier : all), 0);
      known.set(sources, evidence);
    }
    return evidence;
  };
}

function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** The low bits of the running product are weak; a final mix makes probe chains short. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) lines++;
  return lines;
}

/** The value of a hexadecimal digit, or -1. */
function digitOf(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

function isDecimal(code = 0): boolean {
  return code >= 48 && code <= 57;
}

function malformed(line: number): Error {
  return new Error(`line ${line + 1} is malformed`);
}

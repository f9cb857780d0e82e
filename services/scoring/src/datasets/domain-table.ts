/**
 * 163,000 names as JavaScript strings in a Set cost some 20 MB of heap that every major collection walks. Here they stay
 * the bytes of the file, with a hash table of line numbers beside them: 5 MB, invisible to the collector.
 *
 * The hash runs from the last character to the first, so that one pass over a domain yields the hash of every parent.
 */
export interface DomainTable {
  readonly size: number;
  /** Evidence of the name and of all its listed parents together, or nothing. */
  find(domain: string): TableHit | undefined;
  has(domain: string): boolean;
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

const LINE_FEED = 10;
const SPACE = 32;
const DOT = 46;
const NO_OPERATOR = 0xffff;

/** Reads lines of `domain evidence [operator]`; evidence is one hexadecimal digit. Throws on any other form. */
export function createDomainTable(bytes: Buffer): DomainTable {
  const size = countLines(bytes);
  const starts = new Uint32Array(size);
  const lengths = new Uint8Array(size);
  const evidences = new Uint8Array(size);
  const operators = new Uint16Array(size).fill(NO_OPERATOR);
  const slotCount = 2 ** Math.ceil(Math.log2(Math.max(2, size * 2)));
  const mask = slotCount - 1;
  const slots = new Uint32Array(slotCount);

  let line = 0;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(LINE_FEED, start);
    const space = bytes.indexOf(SPACE, start);
    if (end === -1 || space === -1 || space > end || space === start || space - start > 253)
      throw malformed(line);
    starts[line] = start;
    lengths[line] = space - start;
    evidences[line] = readNumber(bytes, space + 1, space + 2, 16, line);
    if (end !== space + 2) {
      if (bytes[space + 2] !== SPACE) throw malformed(line);
      operators[line] = readNumber(bytes, space + 3, end, 10, line);
    }
    insert(line);
    start = end + 1;
  }

  return {
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
    has(domain) {
      let hash = 0;
      for (let i = domain.length - 1; i >= 0; i--) hash = step(hash, domain.charCodeAt(i));
      return lookUp(hash, domain, 0) !== -1;
    },
    *names() {
      for (let entry = 0; entry < size; entry++) {
        const start = starts[entry] ?? 0;
        yield bytes.toString('latin1', start, start + (lengths[entry] ?? 0));
      }
    },
  };

  function insert(entry: number): void {
    const start = starts[entry] ?? 0;
    let hash = 0;
    for (let i = start + (lengths[entry] ?? 0) - 1; i >= start; i--) hash = step(hash, bytes[i] ?? 0);
    let slot = spread(hash) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = entry + 1;
  }

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
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

function readNumber(bytes: Buffer, start: number, end: number, radix: 10 | 16, line: number): number {
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = digitOf(bytes[i] ?? 0);
    if (digit === -1 || digit >= radix) throw malformed(line);
    value = value * radix + digit;
  }
  if (start >= end || value >= NO_OPERATOR) throw malformed(line);
  return value;
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

function malformed(line: number): Error {
  return new Error(`line ${line + 1} is malformed`);
}

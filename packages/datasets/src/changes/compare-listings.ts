import { setImmediate as nextTurn } from 'node:timers/promises';
import { isConfirmed, TIER_BITS } from '../evidence.js';
import type { Manifest } from '../manifest.js';

/** The disposable domains of a release, as its file has them. */
export interface Listings {
  readonly bytes: Buffer;
  readonly sources: Manifest['disposable_sources'];
}

/** A name that other sources list than before. */
export interface ListingChange {
  readonly name: string;
  /** Sources that began or ceased to list it. */
  readonly listed: readonly string[];
  readonly unlisted: readonly string[];
  /** Whether that changes how certain the listing is, and so the score. */
  readonly changesClass: boolean;
}

/** Lines read per turn of the event loop, as in domain-table.ts. */
const LINES_PER_TURN = 2_500;

/** Walks through two releases side by side; both are sorted by the bytes of their names, or this throws. */
export async function* compareListings(before: Listings, after: Listings): AsyncGenerator<ListingChange> {
  const [old, next] = [createCursor(before), createCursor(after)];
  for (let lines = 1; old.name !== undefined || next.name !== undefined; lines++) {
    if (lines % LINES_PER_TURN === 0) await nextTurn();
    const isOld = next.name === undefined || (old.name !== undefined && old.name <= next.name);
    const isNext = old.name === undefined || (next.name !== undefined && next.name <= old.name);
    const name = (isOld ? old.name : next.name) ?? '';
    const had = isOld ? old.take() : UNLISTED;
    const has = isNext ? next.take() : UNLISTED;
    const listed = has.sources.filter((source) => !had.sources.includes(source));
    const unlisted = had.sources.filter((source) => !has.sources.includes(source));
    if (listed.length > 0 || unlisted.length > 0)
      yield { name, listed, unlisted, changesClass: had.certainty !== has.certainty };
  }
}

interface Word {
  readonly sources: readonly string[];
  readonly certainty: 'none' | 'single' | 'confirmed';
}

const UNLISTED: Word = { sources: [], certainty: 'none' };

function createCursor({ bytes, sources }: Listings) {
  const words = new Map<string, Word>();
  let start = 0;
  let name: string | undefined;
  let bits = '';
  read();

  function read(): void {
    if (start >= bytes.length) {
      name = undefined;
      return;
    }
    const end = bytes.indexOf(10, start);
    const [next = '', hex = ''] = bytes
      .toString('latin1', start, end === -1 ? bytes.length : end)
      .split(' ', 2);
    if (name !== undefined && next <= name)
      throw new Error(`${next} comes after ${name}: the names are not sorted`);
    name = next;
    bits = hex;
    start = end === -1 ? bytes.length : end + 1;
  }

  /** Few combinations of sources occur, so each is worked out once. */
  function wordOf(hex: string): Word {
    const known = words.get(hex);
    if (known) return known;
    const set = Number.parseInt(hex, 16);
    const named = sources.filter((_, bit) => (set >>> bit) & 1);
    const evidence = named.reduce((all, { tier }) => all | TIER_BITS[tier], 0);
    const word: Word = {
      sources: named.map((source) => source.name),
      certainty: isConfirmed(evidence) ? 'confirmed' : 'single',
    };
    words.set(hex, word);
    return word;
  }

  return {
    get name() {
      return name;
    },
    take(): Word {
      const word = wordOf(bits);
      read();
      return word;
    },
  };
}

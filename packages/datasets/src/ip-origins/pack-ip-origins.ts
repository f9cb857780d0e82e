import { brotliCompressSync, constants } from 'node:zlib';
import { sha256 } from '../sha256.js';
import { NONE, ORIGINS_MAGIC, type OriginsHeader, SPACES } from './ip-origins.js';
import type { OriginRange, Stretch } from './origin-ranges.js';
import { toStretches } from './origin-ranges.js';

/** ISO 3166; ZZ means no country. */
const COUNTRY = /^(?!ZZ)[A-Z]{2}$/;
const COUNTRIES_MAX = 255;

/**
 * Packs the countries and autonomous systems of all addresses into one file: a line that describes it, and columns of
 * 32-bit words that a load uses as they are. The same ranges give the same bytes.
 */
export function packIpOrigins(input: {
  readonly asOf: OriginsHeader['as_of'];
  readonly systems: readonly OriginRange[];
  readonly countries: readonly OriginRange[];
  /** 1 to 11; the highest takes a minute and saves a tenth. */
  readonly quality?: number;
}): Buffer {
  const { asOf, systems, quality = 9 } = input;
  const countries = input.countries.filter(({ value }) => COUNTRY.test(value));
  const organisations = new Map(systems.map(({ value, organisation }) => [Number(value), organisation]));
  const numbers = [...organisations.keys()].sort((a, b) => a - b);
  const codes = [...new Set(countries.map(({ value }) => value))].sort();
  if (codes.length > COUNTRIES_MAX) throw new Error(`ip origins: ${codes.length} countries are too many`);
  const systemAt = new Map(numbers.map((number, at) => [String(number), at + 1]));
  const countryAt = new Map(codes.map((code, at) => [code, at + 1]));

  const names = Buffer.from(
    numbers.map((number) => `${(organisations.get(number) ?? '').replaceAll('\n', ' ')}\n`).join(''),
  );
  const tables = SPACES.map(({ of, version }) =>
    toStretches(of === 'systems' ? systems : countries, version),
  );
  const columns = [
    wordsOf(numbers),
    ...tables.flatMap((stretches, at) => startsOf(stretches, SPACES[at]?.version ?? 4)),
    ...tables.map((stretches, at) => {
      const positions = SPACES[at]?.of === 'systems' ? systemAt : countryAt;
      const values = stretches.map(({ value }) => (value === null ? NONE : (positions.get(value) ?? NONE)));
      return SPACES[at]?.of === 'systems' ? wordsOf(values) : Buffer.from(values);
    }),
    names,
  ];
  const body = Buffer.concat(columns);
  const packed = brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
  const header: OriginsHeader = {
    as_of: asOf,
    systems: numbers.length,
    countries: codes,
    stretches: tables.map(({ length }) => length),
    covered: tables.map((stretches, at) => coveredBy(stretches, SPACES[at]?.version ?? 4)),
    bytes: body.length,
    sha256: sha256(packed),
  };
  return Buffer.concat([Buffer.from(`${ORIGINS_MAGIC}${JSON.stringify(header)}\n`), packed]);
}

/** One column for each word of an address. The first holds differences, which are small. */
function startsOf(stretches: readonly Stretch[], version: 4 | 6): Buffer[] {
  const width = version === 4 ? 1 : 4;
  return Array.from({ length: width }, (_, word) => {
    const shift = BigInt(32 * (width - 1 - word));
    let before = 0;
    return wordsOf(
      stretches.map(({ from }) => {
        const value = Number((from >> shift) & 0xffff_ffffn);
        const difference = value - before;
        if (word === 0) before = value;
        return difference;
      }),
    );
  });
}

/** IPv4 addresses, or IPv6 networks of /48. */
function coveredBy(stretches: readonly Stretch[], version: 4 | 6): number {
  const end = 1n << (version === 4 ? 32n : 128n);
  let covered = 0n;
  stretches.forEach(({ from, value }, at) => {
    if (value !== null) covered += (stretches[at + 1]?.from ?? end) - from;
  });
  return Number(version === 4 ? covered : covered >> 80n);
}

function wordsOf(values: readonly number[]): Buffer {
  const words = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => {
    words.writeUInt32LE(value, at * 4);
  });
  return words;
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import { findOriginsSwing } from '../src/ip-origins/find-origins-swing.js';
import { ORIGINS_FILE, readIpOrigins } from '../src/ip-origins/open-ip-origins.js';
import { type OriginRange, readOriginRange } from '../src/ip-origins/origin-ranges.js';
import { packIpOrigins } from '../src/ip-origins/pack-ip-origins.js';
import { fetchPackageFile, PUBLIC_REGISTRY } from '../src/sources/fetch-package.js';

const REGISTRY = process.env.npm_config_registry ?? PUBLIC_REGISTRY;
const LIMITS = { deadlineMs: 600_000, bytesMax: 64 * 1024 * 1024 };
const HIGHEST_QUALITY = 11;
const MALFORMED_MAX = 0.001;

/** The newest version of a package, both of its files. */
async function fetchRanges(name: string, stem: string): Promise<{ asOf: string; ranges: OriginRange[] }> {
  const ranges: OriginRange[] = [];
  let asOf = '';
  for (const file of [`${stem}-ipv4.csv`, `${stem}-ipv6.csv`]) {
    const answer = await fetchPackageFile({ registry: REGISTRY, name, file, had: {}, limits: LIMITS });
    if (answer.kind !== 'fetched') throw new Error(`${name}: the registry answered 304 to no condition`);
    const lines = answer.bytes.toString('utf8').trimEnd().split('\n');
    const read = lines.flatMap((line) => readOriginRange(line.trimEnd()) ?? []);
    if (read.length < lines.length * (1 - MALFORMED_MAX))
      throw new Error(
        `${name}/${file}: ${lines.length - read.length} of ${lines.length} lines are malformed`,
      );
    for (const range of read) ranges.push(range);
    // Versions end in the day and hour of their data, as in 2.3.2026061719.
    asOf = answer.version.replace(/^.*\.(\d{4})(\d\d)(\d\d)\d\d$/, '$1-$2-$3');
  }
  return { asOf, ranges };
}

const systems = await fetchRanges('@ip-location-db/asn', 'asn');
const countries = await fetchRanges('@ip-location-db/dbip-country', 'dbip-country');
const file = packIpOrigins({
  asOf: { systems: systems.asOf, countries: countries.asOf },
  systems: systems.ranges,
  countries: countries.ranges,
  quality: HIGHEST_QUALITY,
});
const path = join(inRoot('packages/datasets/data'), ORIGINS_FILE);
const { header } = readIpOrigins(file);
const swing = existsSync(path)
  ? findOriginsSwing(readIpOrigins(readFileSync(path)).header, header)
  : undefined;
if (swing !== undefined && !process.argv.includes('--accept')) throw new Error(`${swing}; see --accept`);
writeFileSync(path, file);
process.stdout.write(`${ORIGINS_FILE} ${file.length} bytes, ${JSON.stringify(header.as_of)}\n`);

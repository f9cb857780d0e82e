import type { DatedPart } from '../build/build-datasets.js';
import { partsOfNetworks } from '../build/parts-of-networks.js';
import type { ReadDatasetFile } from '../load-datasets.js';
import { MANIFEST_FILE, parseManifest } from '../manifest.js';
import { isListed, type Source } from '../sources/source.js';

/**
 * Derives the parts of a release, to replace a source that was never fetched. For disposable domains it is exact
 * except for removed names; for other lists each source gets all names, which changes nothing until the first of them
 * answers.
 */
export async function partsOfRelease(
  read: ReadDatasetFile,
  sources: readonly Source[],
): Promise<Map<string, DatedPart>> {
  const manifest = parseManifest((await read(MANIFEST_FILE)).toString('utf8'));
  const lines = async (file: string) => (await read(file)).toString('utf8').trimEnd().split('\n');
  const listed = manifest.disposable_sources.map(({ name, as_of }) => ({
    name,
    asOf: as_of,
    names: [] as string[],
    operators: new Map<string, string>(),
  }));
  for (const line of await lines(manifest.datasets.disposable_domains.file)) {
    const [domain = '', bits = '', operator] = line.split(' ');
    const mask = Number.parseInt(bits, 16);
    listed.forEach(({ names, operators }, bit) => {
      if (((mask >>> bit) & 1) === 0) return;
      names.push(domain);
      const known = operator === undefined ? undefined : manifest.operators[Number(operator)];
      if (known !== undefined && manifest.disposable_sources[bit]?.tier === 'crawled')
        operators.set(domain, known);
    });
  }
  const parts = new Map<string, DatedPart>(
    listed.map(({ name, asOf, names, operators }) => [name, { asOf, part: { names, operators } }]),
  );
  for (const feeds of ['free_providers', 'role_prefixes'] as const) {
    const { file, version } = manifest.datasets[feeds];
    const names = (await lines(file)).map((line) => line.split(' ')[0] ?? '');
    for (const source of sources) {
      if (source.feeds === feeds && isListed(source) && source.version !== undefined)
        parts.set(source.name, { asOf: version, part: { names, operators: new Map() } });
    }
  }
  const networks = manifest.datasets.ip_networks;
  if (networks !== undefined) {
    const text = (await read(networks.file)).toString('utf8');
    for (const [name, part] of partsOfNetworks(text, networks.version, sources)) parts.set(name, part);
  }
  return parts;
}

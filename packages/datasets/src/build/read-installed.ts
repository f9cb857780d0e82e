import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { assetPath } from '@verdict/domain/asset-path.js';
import { SHIPPED_DIR } from '../shipped.js';
import { parsePart } from '../sources/parse-part.js';
import { isListed, type Source } from '../sources/source.js';
import type { DatedPart } from './build-datasets.js';
import { partsOfNetworks } from './parts-of-networks.js';

const require = createRequire(assetPath('../../packages/datasets/package.json'));

/** The parts of the pinned packages of this workspace, and the shipped networks: what the shipped data is built from. */
export function readInstalled(sources: readonly Source[]): Map<string, DatedPart> {
  const parts = new Map<string, DatedPart>();
  for (const source of sources) {
    if (source.version === undefined) continue;
    const { name, version, as_of: asOf = '' } = source;
    const installed = (JSON.parse(read(name, 'package.json').toString()) as { version: string }).version;
    if (installed !== version)
      throw new Error(`${name} ${installed} is installed, sources.json says ${version}`);
    if (isListed(source))
      parts.set(name, { part: parsePart(read(name, source.read.file ?? ''), source.read), asOf });
  }
  const networks = readFileSync(join(SHIPPED_DIR, 'ip-networks.txt'), 'utf8');
  return new Map([...parts, ...partsOfNetworks(networks, '', sources)]);
}

/** Found by walking the look-up paths: several packages do not export the files that matter. */
function read(packageName: string, path: string): Buffer {
  for (const folder of require.resolve.paths(packageName) ?? []) {
    try {
      return readFileSync(join(folder, packageName, path));
    } catch {
      // Not in this node_modules; the next one up may have it.
    }
  }
  throw new Error(`${packageName}/${path} is not installed`);
}

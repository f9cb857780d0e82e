import { isListed, type Source } from '../sources/source.js';
import type { DatedPart } from './build-datasets.js';

/**
 * Derives the parts of built networks: each source that was read before gets all of its kind, which changes nothing
 * until the first of them answers. No package holds these lists, so the shipped networks are what the next build begins with.
 */
export function partsOfNetworks(
  text: string,
  asOf: string,
  sources: readonly Source[],
): Map<string, DatedPart> {
  const byKind = new Map<string, string[]>();
  for (const line of text.trimEnd().split('\n')) {
    const [network = '', kind = ''] = line.split(' ');
    const known = byKind.get(kind);
    if (known) known.push(network);
    else byKind.set(kind, [network]);
  }
  return new Map(
    sources.flatMap((source) => {
      const names = isListed(source) && source.marks && source.as_of ? byKind.get(source.marks) : undefined;
      return names ? [[source.name, { asOf, part: { names, operators: new Map() } }] as const] : [];
    }),
  );
}

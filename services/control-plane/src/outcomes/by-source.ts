import type { LabelCounts } from '@verdict/db/outcomes/outcome-counts.js';
import type { ScoringClient } from '@verdict/scoring-client/scoring-client.js';

/** Adds up the labels of domains by the public lists that have them now; a domain on three lists counts for each. */
export async function bySource(
  scoring: Pick<ScoringClient, 'sources'>,
  domains: readonly LabelCounts[],
): Promise<LabelCounts[]> {
  if (domains.length === 0) return [];
  const { sources } = await scoring.sources({ domains: domains.map(({ name }) => name) });
  const sums = new Map<string, LabelCounts>();
  domains.forEach((counts, position) => {
    for (const name of sources[position] ?? []) {
      const sum = sums.get(name) ?? { name, genuine: 0, abuse: 0, bounced: 0, complained: 0 };
      sums.set(name, {
        name,
        genuine: sum.genuine + counts.genuine,
        abuse: sum.abuse + counts.abuse,
        bounced: sum.bounced + counts.bounced,
        complained: sum.complained + counts.complained,
      });
    }
  });
  return [...sums.values()];
}

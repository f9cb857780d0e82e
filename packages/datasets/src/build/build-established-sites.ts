import { getDomain, getPublicSuffix } from 'tldts';

/**
 * Of a web ranking only the names under risky endings matter, since nothing else asks for them: of a million sites some
 * thousands stay, small enough to be kept whole and exact. Lines have the form of a domain table.
 */
export function buildEstablishedSites(
  ranking: Iterable<string>,
  riskyEndings: ReadonlySet<string>,
): string[] {
  const kept = new Set<string>();
  for (const line of ranking) {
    const site = getDomain(nameOf(line));
    if (site !== null && riskyEndings.has(getPublicSuffix(site) ?? '')) kept.add(site);
  }
  return [...kept].map((site) => `${site} 1`);
}

/** Rankings come as `name` or as lines of `rank,name`. */
function nameOf(line: string): string {
  const columns = line.trim().toLowerCase().split(',');
  return columns.find((column) => column.includes('.')) ?? '';
}

import { type ListsOfADay, OLD_AGGREGATE } from './cuts.js';
import { readPackageFile, readPackageJson } from './read-package.js';

export interface CrawledName {
  readonly provider: string;
  readonly firstseen: number;
  readonly lastseen: number;
}

export interface DatedLists {
  readonly curated: readonly string[];
  readonly mailchecker: readonly string[];
  readonly aggregate: readonly string[];
  readonly crawled: ReadonlyMap<string, CrawledName>;
  /** When the crawler's list was made, in seconds. */
  readonly crawledAt: number;
}

export function readLists({ curated, crawled, mailchecker }: ListsOfADay): DatedLists {
  const { t, domains } = readPackageJson<{ t: number; domains: Record<string, CrawledName> }>(
    crawled,
    'json/data.json',
  );
  return {
    curated: readPackageJson<string[]>(curated, 'dist/dict/disposable_email_blocklist.json'),
    mailchecker: readMailchecker(mailchecker),
    aggregate: readPackageJson<string[]>(OLD_AGGREGATE, 'index.json'),
    crawled: new Map(Object.entries(domains)),
    crawledAt: t,
  };
}

/** The list is inside the package's code; older versions cannot be loaded beside a newer one of the same name. */
function readMailchecker(packageName: string): string[] {
  const code = readPackageFile(packageName, 'platform/node/index.js');
  const start = code.indexOf('[', code.indexOf('new Set('));
  return JSON.parse(code.slice(start, code.indexOf(']', start) + 1)) as string[];
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

const FRESH_SECONDS = 30 * 86_400;

/** The published lists as they are, read from the pinned packages. */
export interface PackageLists {
  readonly curated: string[];
  readonly crawled: Map<string, string>;
  /** Those seen in the 30 days before the crawler's list was made. */
  readonly freshlyCrawled: Set<string>;
  readonly aggregate: string[];
  readonly mailchecker: string[];
  readonly freemail: string[];
  readonly commonProviders: string[];
  readonly roles: string[];
  readonly noReply: string[];
}

export function readPackages(): PackageLists {
  const crawled = readJson('fakefilter', 'json/data.json') as {
    t: number;
    domains: Record<string, { provider: string; lastseen: number }>;
  };
  const freshFrom = crawled.t - FRESH_SECONDS;
  const mailchecker = require('mailchecker') as { blacklist(): Set<string> };
  return {
    curated: readJson('disposable-email-domains-js', 'dist/dict/disposable_email_blocklist.json') as string[],
    crawled: new Map(Object.entries(crawled.domains).map(([domain, { provider }]) => [domain, provider])),
    freshlyCrawled: new Set(
      Object.entries(crawled.domains).flatMap(([domain, { lastseen }]) =>
        lastseen >= freshFrom ? domain : [],
      ),
    ),
    aggregate: readJson('disposable-domains', 'index.json') as string[],
    mailchecker: [...mailchecker.blacklist()],
    freemail: read('freemail', 'data/free.txt').split('\n'),
    commonProviders: readJson('email-providers', 'common.json') as string[],
    roles: [...(require('role-based-email-addresses') as string[])],
    noReply: readJson('reserved-email-addresses-list', 'no-reply-list.json') as string[],
  };
}

/** The version really installed, to be compared with the one that sources.json promises. */
export function installedVersion(packageName: string): string {
  return (readJson(packageName, 'package.json') as { version: string }).version;
}

function readJson(packageName: string, path: string): unknown {
  return JSON.parse(read(packageName, path));
}

/** Found by walking the look-up paths: several packages do not export the files that matter. */
function read(packageName: string, path: string): string {
  for (const folder of require.resolve.paths(packageName) ?? []) {
    try {
      return readFileSync(join(folder, packageName, path), 'utf8');
    } catch {
      // Not in this node_modules; the next one up may have it.
    }
  }
  throw new Error(`${packageName}/${path} is not installed`);
}

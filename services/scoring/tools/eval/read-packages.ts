import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** The published lists as they are, read from the pinned packages. */
export interface PackageLists {
  readonly curated: string[];
  readonly crawled: Map<string, string>;
  readonly aggregate: string[];
  readonly mailchecker: string[];
  readonly freemail: string[];
}

export function readPackages(): PackageLists {
  const crawled = readJson('fakefilter', 'json/data.json') as {
    domains: Record<string, { provider: string }>;
  };
  const mailchecker = require('mailchecker') as { blacklist(): Set<string> };
  return {
    curated: readJson('disposable-email-domains-js', 'dist/dict/disposable_email_blocklist.json') as string[],
    crawled: new Map(Object.entries(crawled.domains).map(([domain, { provider }]) => [domain, provider])),
    aggregate: readJson('disposable-domains', 'index.json') as string[],
    mailchecker: [...mailchecker.blacklist()],
    freemail: read('freemail', 'data/free.txt').split('\n'),
  };
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

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isListed, type ListedSource, type Source } from '@verdict/datasets/sources/source.js';

export interface SourceHistory {
  readonly source: ListedSource;
  readonly gitDir: string;
  readonly path: string;
}

/** An address of the table of sources that is a file of a public repository. */
const RAW_FILE = /^https:\/\/raw\.githubusercontent\.com\/([^/]+\/[^/]+)\/[^/]+\/(.+)$/;

/** Sources whose history can be replayed, because a clone of their repository is in the folder; the others by name. */
export function findHistories(
  sources: readonly Source[],
  folder: string,
): { histories: SourceHistory[]; missing: string[] } {
  const histories: SourceHistory[] = [];
  const missing: string[] = [];
  for (const source of sources) {
    if (!isListed(source) || source.kind !== 'url' || source.feeds !== 'disposable_domains') continue;
    const [, repository = '', path = ''] = RAW_FILE.exec(source.from ?? '') ?? [];
    const gitDir = join(folder, `${repository}.git`);
    if (path !== '' && existsSync(gitDir)) histories.push({ source, gitDir, path });
    else missing.push(source.name);
  }
  return { histories, missing };
}

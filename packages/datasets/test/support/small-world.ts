import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { buildDatasets } from '../../src/build/build-datasets.js';
import { LISTS_DIR } from '../../src/shipped.js';
import type { ListedSource, Source } from '../../src/sources/source.js';
import type { UpdateOptions } from '../../src/update/update-datasets.js';

export const NAMES = 500;
export const names = (count = NAMES, stem = 'trash'): string[] =>
  Array.from({ length: count }, (_, index) => `${stem}-${index}.com`);
export const asLines = (list: readonly string[]): string => `${list.join('\n')}\n`;

/** A shipped release of a few hundred names, real hand lists and an empty folder to publish in. */
export function makeSmallWorld(t: Test, sources: readonly ListedSource[]) {
  const root = mkdtempSync(join(tmpdir(), 'verdict-releases-'));
  t.teardown(() => rmSync(root, { recursive: true, force: true }));
  const [shippedDir, listsDir, directory] = ['shipped', 'lists', 'releases'].map((name) =>
    join(root, name),
  ) as [string, string, string];
  for (const folder of [shippedDir, directory]) mkdirSync(folder);
  cpSync(LISTS_DIR, listsDir, { recursive: true });
  const hand: Source[] = (['disposable_domains', 'free_providers', 'role_prefixes'] as const).map(
    (feeds) => ({
      name: 'hand-lists',
      feeds,
      kind: 'hand',
      licence: 'MIT',
      as_of: '2026-01-01',
    }),
  );
  const parts = new Map(
    sources
      .filter(({ version }) => version !== undefined)
      .map(({ name }) => [name, { asOf: '2026-01-01', part: { names: names(), operators: new Map() } }]),
  );
  for (const [file, text] of buildDatasets({ listsDir, sources: [...sources, ...hand], parts }))
    writeFileSync(join(shippedDir, file), fileOf(file, text));
  const options: UpdateOptions = {
    directory,
    shippedDir,
    listsDir,
    sources,
    registry: 'http://127.0.0.1:9/',
    limits: { deadlineMs: 60_000, bytesMax: 1024 * 1024 },
  };
  return { root, directory, shippedDir, listsDir, options };
}

/** Every dataset of the hand lists has its own date in the real table. */
function fileOf(file: string, text: string): string {
  return file === 'manifest.json' ? text.replaceAll('"version": ""', '"version": "2026-01-01"') : text;
}

/** A list by address, curated unless said otherwise. */
export function urlSource(name: string, from: string, change: Partial<ListedSource> = {}): ListedSource {
  return {
    name,
    feeds: 'disposable_domains',
    kind: 'url',
    from,
    tier: 'curated',
    licence: 'CC0-1.0',
    read: { format: 'lines' },
    // As if the shipped data had been built from it.
    version: 'shipped',
    as_of: '2026-01-01',
    ...change,
  };
}

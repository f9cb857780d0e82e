import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import type { DatasetName } from '../manifest.js';
import { isListed, type Source, type SourceTable, SourceTableSchema } from './source.js';

type Table = Record<string, Record<string, Record<string, unknown>>>;

/**
 * The declared table, with the operator's own file laid over it: an entry of the same name changes what it names (a mirror,
 * `enabled: false`), a new name adds a source.
 */
export function readSources(listsDir: string, ownFile?: string): Source[] {
  const table = readTable(join(listsDir, 'sources.json'));
  if (ownFile !== undefined) layOver(table, readTable(ownFile));
  if (!Value.Check(SourceTableSchema, table)) {
    const [first] = Value.Errors(SourceTableSchema, table);
    throw new Error(
      `${ownFile ?? 'sources.json'}: ${first?.instancePath ?? ''} ${first?.message ?? 'has the wrong shape'}`,
    );
  }
  const sources: Source[] = Object.entries(table as SourceTable).flatMap(([feeds, named]) =>
    Object.entries(named).map(([name, source]) => ({ ...source, name, feeds: feeds as DatasetName })),
  );
  for (const source of sources) {
    if (isListed(source)) refuseIncomplete(source);
  }
  return sources.filter((source) => !isListed(source) || source.enabled !== false);
}

function refuseIncomplete(source: Extract<Source, { kind: 'npm' | 'url' | 'file' }>): void {
  if (source.feeds === 'disposable_domains' && source.tier === undefined)
    throw new Error(`source ${source.name}: a source of disposable domains needs a tier`);
  if (source.feeds === 'ip_networks' && source.marks === undefined)
    throw new Error(`source ${source.name}: a source of networks needs "marks"`);
  if (source.kind === 'npm' && source.read.file === undefined)
    throw new Error(`source ${source.name}: which file of the package is it? (read.file)`);
  if (source.read.archive !== undefined && source.read.file === undefined)
    throw new Error(`source ${source.name}: which file of the archive is it? (read.file)`);
  if (source.kind === 'url' && !/^https?:\/\//.test(source.from ?? ''))
    throw new Error(`source ${source.name}: "from" must be an address that begins with https:// or http://`);
  if (source.kind === 'file' && source.from === undefined)
    throw new Error(`source ${source.name}: "from" must be the path of a file`);
}

function layOver(table: Table, own: Table): void {
  for (const [feeds, named] of Object.entries(own)) {
    const present = table[feeds] ?? {};
    table[feeds] = present;
    for (const [name, change] of Object.entries(named)) present[name] = { ...present[name], ...change };
  }
}

function readTable(path: string): Table {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Table;
  } catch (error) {
    throw new Error(`${path} cannot be read as a table of sources: ${(error as Error).message}`);
  }
}

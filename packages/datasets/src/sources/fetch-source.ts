import { readFile, stat } from 'node:fs/promises';
import { type FetchLimits, fetchBytes, type Validators } from './fetch-bytes.js';
import { fetchPackageFile } from './fetch-package.js';
import { keepLinesUnder } from './keep-lines-under.js';
import { parsePart } from './parse-part.js';
import type { Part } from './part.js';
import { readZipFile } from './read-zip.js';
import type { ListedSource } from './source.js';

/** Names compress to about a third; text that grows far more is not a list. */
const UNPACKED_FACTOR = 4;

/** The stored facts about the last good answer. */
export interface Had extends Validators {
  readonly version?: string | undefined;
}

export type SourceAnswer =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly part: Part; readonly had: Had };

export interface FetchOptions {
  readonly registry: string;
  readonly limits: FetchLimits;
  /** Of a web ranking nothing else is held. */
  readonly riskyEndings: ReadonlySet<string>;
}

/** Asks a source for what changed since the last good answer. Rejects with a sentence that says what went wrong. */
export async function fetchSource(
  source: ListedSource,
  had: Had,
  { registry, limits: common, riskyEndings }: FetchOptions,
): Promise<SourceAnswer> {
  const limits = {
    deadlineMs: source.deadline_ms ?? common.deadlineMs,
    bytesMax: source.bytes_max ?? common.bytesMax,
  };
  if (source.kind === 'npm') {
    const answer = await fetchPackageFile({
      registry: source.registry ?? registry,
      name: source.from ?? source.name,
      file: source.read.file ?? '',
      had,
      limits,
    });
    if (answer.kind === 'unchanged') return answer;
    return {
      kind: 'changed',
      part: parse(answer.bytes, source, riskyEndings),
      had: { version: answer.version, ...answer.validators },
    };
  }
  if (source.kind === 'url') {
    const answer = await fetchBytes(source.from ?? '', limits, had);
    if (answer.kind === 'unchanged') return answer;
    const bytes = unpack(answer.bytes, source, limits);
    return { kind: 'changed', part: parse(bytes, source, riskyEndings), had: answer.validators };
  }
  const bytes = unpack(await readLimited(source.from ?? '', limits.bytesMax), source, limits);
  return { kind: 'changed', part: parse(bytes, source, riskyEndings), had: {} };
}

function unpack(bytes: Buffer, { read }: ListedSource, { bytesMax }: FetchLimits): Buffer {
  return read.archive === 'zip' ? readZipFile(bytes, read.file ?? '', bytesMax * UNPACKED_FACTOR) : bytes;
}

function parse(bytes: Buffer, { feeds, read }: ListedSource, riskyEndings: ReadonlySet<string>): Part {
  try {
    if (feeds === 'established_sites' && read.format === 'lines')
      return { names: keepLinesUnder(bytes, riskyEndings), operators: new Map() };
    return parsePart(bytes, read);
  } catch (error) {
    throw new Error(`it cannot be read: ${(error as Error).message}`);
  }
}

async function readLimited(path: string, bytesMax: number): Promise<Buffer> {
  if ((await stat(path)).size > bytesMax) throw new Error(`it is larger than ${bytesMax} bytes`);
  return readFile(path);
}

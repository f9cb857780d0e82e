import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Part, readPart, writePart } from '../sources/part.js';

/** The stored state of one source between two updates. */
export interface SourceState {
  /** Last time that it answered and its answer was good, changed or not. */
  readonly good_at?: string;
  /** Day since which it says what it says. */
  readonly as_of?: string;
  readonly entries?: number;
  readonly version?: string | undefined;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Why its last answer was not used, and since when none was. */
  readonly failure?: { readonly at: string; readonly since: string; readonly reason: string };
}

export interface UpdateState {
  readonly sources: Readonly<Record<string, SourceState>>;
  readonly last?: {
    readonly at: string;
    readonly outcome: 'published' | 'unchanged' | 'refused' | 'held';
    readonly release?: string;
    readonly reason?: string;
  };
  /** Set by going back to an older release: the daily update must not bring back what was just taken out. */
  readonly held_since?: string | undefined;
}

const STATE_FOLDER = 'state';

export async function readState(directory: string): Promise<UpdateState> {
  try {
    return JSON.parse(await readFile(join(directory, STATE_FOLDER, 'state.json'), 'utf8')) as UpdateState;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { sources: {} };
    throw error;
  }
}

export async function writeState(directory: string, state: UpdateState): Promise<void> {
  await replaceFile(directory, 'state.json', `${JSON.stringify(state, null, 2)}\n`);
}

/** The last good part of a source, or undefined before there was one. */
export async function readLastPart(directory: string, source: string): Promise<Part | undefined> {
  try {
    return readPart(await readFile(join(directory, STATE_FOLDER, partFile(source)), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeLastPart(directory: string, source: string, part: Part): Promise<void> {
  await replaceFile(directory, partFile(source), writePart(part));
}

const partFile = (source: string): string => `${source.replaceAll('/', '+')}.txt`;

async function replaceFile(directory: string, name: string, text: string): Promise<void> {
  await mkdir(join(directory, STATE_FOLDER), { recursive: true });
  const path = join(directory, STATE_FOLDER, name);
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

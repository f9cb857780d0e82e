import type { KeyObject } from 'node:crypto';
import { type BuildInput, buildDatasets } from '../build/build-datasets.js';
import { readHandList } from '../build/read-hand-list.js';
import { readRiskyEndings } from '../build/read-risky-endings.js';
import { findSwing } from '../find-swing.js';
import { loadDatasets, type ReadDatasetFile, readFromFolder } from '../load-datasets.js';
import { MANIFEST_FILE, type Manifest, parseManifest } from '../manifest.js';
import { currentRelease, nextReleaseId } from '../releases/release-index.js';
import { folderPlace } from '../releases/release-place.js';
import { createReleaseReader } from '../releases/release-reader.js';
import { createReleaseStore } from '../releases/release-store.js';
import { LISTS_DIR, SHIPPED_DIR } from '../shipped.js';
import type { FetchLimits } from '../sources/fetch-bytes.js';
import { isListed, type Source } from '../sources/source.js';
import { askSource, type SourceReport } from './ask-source.js';
import { evaluateCanary, type LabelledSet, readLabelled } from './evaluate-canary.js';
import { withLock } from './lock.js';
import { partsOfRelease } from './parts-of-release.js';
import { readState, type UpdateState, writeLastPart, writeState } from './update-state.js';

export interface UpdateOptions {
  /** Where releases are published. */
  readonly directory: string;
  readonly sources: readonly Source[];
  readonly registry: string;
  readonly limits: FetchLimits;
  readonly signingKey?: KeyObject | undefined;
  /** Sources whose sudden growth or shrinking an operator has looked at; `all` accepts that of the whole too. */
  readonly accept?: readonly string[];
  /** Publish again after a step back to an older release. */
  readonly resume?: boolean;
  readonly now?: () => Date;
  /** Replacements for sources that were never fetched, and the lists kept by hand. */
  readonly shippedDir?: string;
  readonly listsDir?: string;
}

export interface UpdateReport {
  readonly outcome: NonNullable<UpdateState['last']>['outcome'];
  readonly release: string | null;
  readonly reason: string | null;
  readonly sources: readonly SourceReport[];
}

interface Base {
  readonly read: ReadDatasetFile;
  readonly shipped: ReadDatasetFile;
  readonly manifest: Manifest;
}

/**
 * Asks every source for what changed, builds, guards and publishes. A source that fails or is refused is left as it was;
 * a result that is refused leaves everything as it was.
 */
export function updateDatasets(options: UpdateOptions): Promise<UpdateReport> {
  return withLock(options.directory, () => update(options));
}

async function update(options: UpdateOptions): Promise<UpdateReport> {
  const { directory, sources, accept = [], now = () => new Date() } = options;
  const { listsDir = LISTS_DIR, shippedDir = SHIPPED_DIR } = options;
  const before = await readState(directory);
  const base = await readBase(directory, shippedDir);
  const standIns = await partsOfRelease(base.shipped, sources);
  const relays = new Set(readHandList(listsDir, 'relays'));
  const riskyEndings = readRiskyEndings(listsDir);

  const answers = await Promise.all(
    sources
      .filter(isListed)
      .map((source) =>
        askSource(source, before.sources[source.name] ?? {}, { standIns, relays, riskyEndings }, options),
      ),
  );
  const parts = new Map(
    answers.flatMap(({ source, dated }) => (dated ? [[source.name, dated] as const] : [])),
  );
  const reports = answers.map(({ report }) => report);
  const state: UpdateState = {
    held_since: options.resume ? undefined : before.held_since,
    sources: Object.fromEntries(answers.map((answer) => [answer.source.name, answer.state])),
  };
  const finish = async (
    outcome: UpdateReport['outcome'],
    rest: { release?: string; reason?: string } = {},
  ): Promise<UpdateReport> => {
    const kept = outcome === 'refused' ? failuresOnly(before, state) : state;
    await writeState(directory, { ...kept, last: { at: now().toISOString(), outcome, ...rest } });
    return { outcome, release: rest.release ?? null, reason: rest.reason ?? null, sources: reports };
  };
  const keepParts = async () => {
    for (const { source, report, dated } of answers)
      if (report.result === 'changed' && dated) await writeLastPart(directory, source.name, dated.part);
  };
  if (state.held_since !== undefined) {
    return finish('held', { reason: `an older release was asked for at ${state.held_since}` });
  }

  const store = createReleaseStore(directory, options.signingKey);
  const index = await store.index();
  const date = now().toISOString().slice(0, 10);
  const id = nextReleaseId(index?.releases ?? [], date);
  const built = build({ listsDir, sources, parts, release: { id, date, before: base.manifest } });
  if (typeof built === 'string') return finish('refused', { reason: built });
  if (!hasChanged(base.manifest, built)) {
    await keepParts();
    return finish('unchanged');
  }
  const staged = await store.stage(built);
  const labelled = readLabelled(readHandList(listsDir, 'labelled'));
  const refusal = await refuse(staged, base.read, labelled, accept.includes('all'));
  if (refusal !== undefined) {
    await store.discard(staged);
    return finish('refused', { reason: refusal });
  }
  await keepParts();
  await store.publish(id, staged, now());
  return finish('published', { release: id });
}

/** The active data of replicas: the current release, or the shipped data before there is one. */
async function readBase(directory: string, shippedDir: string): Promise<Base> {
  const shipped = readFromFolder(shippedDir);
  const reader = createReleaseReader(folderPlace(directory), []);
  const index = await reader.index();
  // A release of an older form is as good as none: this version of the code judges with what it ships.
  const current =
    index === undefined
      ? undefined
      : await describe(reader.open(currentRelease(index))).catch(() => undefined);
  return { ...(current ?? (await describe(shipped))), shipped };

  async function describe(read: ReadDatasetFile): Promise<Omit<Base, 'shipped'>> {
    return { read, manifest: parseManifest((await read(MANIFEST_FILE)).toString('utf8')) };
  }
}

export function build(input: BuildInput): Map<string, string> | string {
  try {
    return buildDatasets(input);
  } catch (error) {
    return (error as Error).message;
  }
}

function hasChanged(before: Manifest, built: ReadonlyMap<string, string>): boolean {
  const { datasets } = parseManifest(built.get(MANIFEST_FILE) ?? '');
  return Object.entries(datasets).some(
    ([name, { sha256 }]) => before.datasets[name as keyof Manifest['datasets']]?.sha256 !== sha256,
  );
}

/** Every guard that a replica has, the swing, and the labelled set. */
async function refuse(
  staged: string,
  current: ReadDatasetFile,
  labelled: LabelledSet,
  swingAccepted: boolean,
): Promise<string | undefined> {
  try {
    const next = await loadDatasets(staged);
    const before = await loadDatasets(current);
    const swing = swingAccepted ? undefined : findSwing(before, next);
    return swing ?? evaluateCanary(labelled, next, before);
  } catch (error) {
    return (error as Error).message;
  }
}

/** A refused update stores only its errors. */
function failuresOnly(before: UpdateState, after: UpdateState): UpdateState {
  const sources = Object.entries(after.sources).map(([name, { failure }]) => {
    const { failure: _old, ...had } = before.sources[name] ?? {};
    return [name, failure === undefined ? had : { ...had, failure }];
  });
  return { ...before, held_since: after.held_since, sources: Object.fromEntries(sources) };
}

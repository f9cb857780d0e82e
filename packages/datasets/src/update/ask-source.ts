import type { DatedPart } from '../build/build-datasets.js';
import { checkPart } from '../sources/check-part.js';
import { fetchSource } from '../sources/fetch-source.js';
import type { ListedSource } from '../sources/source.js';
import type { UpdateOptions } from './update-datasets.js';
import { readLastPart, type SourceState } from './update-state.js';

export interface SourceReport {
  readonly source: string;
  readonly result: 'changed' | 'unchanged' | 'failed';
  readonly entries: number | null;
  readonly reason: string | null;
}

interface Known {
  readonly standIns: ReadonlyMap<string, DatedPart>;
  readonly relays: ReadonlySet<string>;
  readonly riskyEndings: ReadonlySet<string>;
}

interface Answer {
  readonly source: ListedSource;
  readonly report: SourceReport;
  readonly state: SourceState;
  /** The part to build with: new, or the last good one. */
  readonly dated: DatedPart | undefined;
}

/** Asks one source for what changed. A failure or a refusal is an answer too, with the last good part. */
export async function askSource(
  source: ListedSource,
  had: SourceState,
  { standIns, relays, riskyEndings }: Known,
  { directory, registry, limits, accept = [], now = () => new Date() }: UpdateOptions,
): Promise<Answer> {
  const at = now().toISOString();
  const last = await readLastPart(directory, source.name);
  const before: DatedPart | undefined =
    last === undefined ? standIns.get(source.name) : { part: last, asOf: had.as_of ?? at.slice(0, 10) };
  const report = (result: SourceReport['result'], entries = before?.part.names.length, reason?: string) => ({
    source: source.name,
    result,
    entries: entries ?? null,
    reason: reason ?? null,
  });
  const failed = (reason: string): Answer => ({
    source,
    report: report('failed', undefined, reason),
    state: { ...had, failure: { at, since: had.failure?.since ?? at, reason } },
    dated: before,
  });
  const { failure: _healed, ...good } = had;
  try {
    // Without the part that they describe, the validators would only bring a 304.
    const answer = await fetchSource(source, last === undefined ? {} : had, {
      registry,
      limits,
      riskyEndings,
    });
    if (answer.kind === 'unchanged')
      return { source, report: report('unchanged'), state: { ...good, good_at: at }, dated: before };
    const { part } = answer;
    const swingAccepted = accept.includes(source.name) || accept.includes('all');
    // A replacement for other lists holds the names of all sources, so it is not a measure for one of them.
    const measure = last ?? (source.feeds === 'disposable_domains' ? before?.part : undefined);
    const refusal = checkPart(source, part, { namesBefore: measure?.names.length, relays, swingAccepted });
    if (refusal !== undefined) return failed(refusal);
    const asShipped = answer.had.version !== undefined && answer.had.version === source.version;
    const asOf = (asShipped ? source.as_of : undefined) ?? at.slice(0, 10);
    return {
      source,
      report: report('changed', part.names.length),
      state: { ...answer.had, good_at: at, as_of: asOf, entries: part.names.length },
      dated: { part, asOf },
    };
  } catch (error) {
    return failed((error as Error).message);
  }
}

import { type DisposableInput, mergeDisposable } from '@verdict/datasets/build/merge-disposable.js';
import { createDomainTable, type DomainTable } from '@verdict/datasets/domain-table.js';
import { isConfirmed } from '@verdict/datasets/evidence.js';

export interface Recall {
  readonly names: number;
  /** Share that the data finds on any evidence. */
  readonly listed: number;
  /** Share that it finds with two families or verified evidence. */
  readonly confirmed: number;
}

type Lists = DisposableInput['lists'];

/** How much of one source the others know: what a name is worth on the day when only one source has seen it. */
export function leaveOneOut(input: DisposableInput): Record<keyof Lists, Recall> {
  const without = (name: keyof Lists): Lists => ({
    ...input.lists,
    [name]: name === 'crawled' ? new Map() : [],
  });
  const only = (name: keyof Lists): Lists => {
    const none: Lists = { curated: [], crawled: new Map(), aggregate: [], mailchecker: [] };
    return { ...none, [name]: input.lists[name] };
  };
  const judge = (name: keyof Lists): Recall => {
    const rest = tableOf({ ...input, lists: without(name) });
    return recallOf(rest, [...mergeDisposable({ ...input, lists: only(name) }).entries.keys()]);
  };
  return {
    curated: judge('curated'),
    crawled: judge('crawled'),
    aggregate: judge('aggregate'),
    mailchecker: judge('mailchecker'),
  };
}

/** Domains the crawler first saw in its last 30 days, asked of the other three sources. */
export function recallOnFresh(input: DisposableInput, fresh: readonly string[]): Recall {
  return recallOf(tableOf({ ...input, lists: { ...input.lists, crawled: new Map() } }), fresh);
}

export function recallOf(table: DomainTable, names: readonly string[]): Recall {
  const hits = names.map((name) => table.find(name));
  return {
    names: names.length,
    listed: share(hits.filter((hit) => hit !== undefined).length, names.length),
    confirmed: share(
      hits.filter((hit) => hit !== undefined && isConfirmed(hit.evidence)).length,
      names.length,
    ),
  };
}

function tableOf(input: DisposableInput): DomainTable {
  const lines = [...mergeDisposable(input).entries].map(
    ([name, { evidence }]) => `${name} ${evidence.toString(16)}\n`,
  );
  return createDomainTable(Buffer.from(lines.join('')));
}

function share(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : Number((part / whole).toFixed(3));
}

import type { Burst, GroupNote, Seen } from '@verdict/contracts/step-note.js';
import { burstRules } from '@verdict/domain/burst-rules.js';

const KINDS = burstRules.length;
/** Counts of a check by their characters. Most checks have the same few, so each is read once. */
const READ = new Map<string, Seen>();
const READ_MAX = 10_000;
const NONE: readonly Seen[] = [];

/** The repetitions of a group's checks, by position; empty where none are counted. */
export function seenOf({
  counts,
  bursts,
  seen,
}: Pick<GroupNote, 'counts' | 'bursts' | 'seen'>): readonly Seen[] {
  if (seen) return seen;
  if (counts === undefined) return NONE;
  if (counts.length === KINDS && !bursts) return [readCounts(counts)];
  const all: Seen[] = [];
  for (let from = 0; from < counts.length; from += KINDS)
    all.push(readCounts(counts.slice(from, from + KINDS)));
  for (const { at, ...burst } of bursts ?? []) all[at] = { counts: all[at]?.counts ?? [], ...burst };
  return all;
}

/** The same from the text of a replay record. */
export function readSeen(text: string): readonly Seen[] {
  if (text.startsWith('[')) return JSON.parse(text) as Seen[];
  const end = text.indexOf('[');
  if (end === -1) return seenOf({ counts: text });
  return seenOf({ counts: text.slice(0, end), bursts: JSON.parse(text.slice(end)) as Burst[] });
}

function readCounts(text: string): Seen {
  const known = READ.get(text);
  if (known) return known;
  const read = { counts: [...text].map((letter) => (letter === '-' ? null : Number.parseInt(letter, 17))) };
  if (READ.size < READ_MAX) READ.set(text, read);
  return read;
}

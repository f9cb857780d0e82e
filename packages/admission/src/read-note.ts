import { type ListMatch, NOTE_VERSION, type StepNote, StepNoteSchema } from '@verdict/contracts/step-note.js';
import { Compile } from 'typebox/compile';

const schema = Compile(StepNoteSchema);
const WAITING_VERSION = 2;

/** Thrown for a note that this release does not know; its batch is set aside and no other waits for it. */
export class UnreadableNote extends Error {
  override name = 'UnreadableNote';
}

/** A note as the step wrote it. */
export function readNote(text: string): StepNote {
  let note: unknown;
  try {
    note = JSON.parse(text);
  } catch {
    throw new UnreadableNote('the note is not JSON');
  }
  return checkNote(note);
}

/** A note that a job brought along, or that was just parsed. */
export function checkNote(value: unknown): StepNote {
  const note = isWaiting(value) ? completeNote(value) : value;
  if (schema.Check(note)) return note;
  const version = (note as { v?: unknown } | null)?.v;
  if (version !== NOTE_VERSION)
    throw new UnreadableNote(`version ${JSON.stringify(version)} of the note is not known to this worker`);
  const [first] = schema.Errors(note);
  throw new UnreadableNote(`the note does not read: ${first?.instancePath} ${first?.message}`);
}

/** Matches of the release before name the list alone, which was the decision too. */
export type WaitingMatch = Omit<ListMatch, 'decision' | 'risk_score'>;

export const completeMatch = (match: WaitingMatch | ListMatch): ListMatch => ({
  decision: match.list,
  risk_score: match.list === 'block' ? 100 : 0,
  ...match,
});

/** Notes that may wait when workers are replaced: they name what a step needed one by one, and the oldest have no version. */
type WaitingNote = Omit<StepNote, 'v' | 'groups'> & {
  readonly v?: number;
  readonly groups: readonly (Omit<StepNote['groups'][number], 'matches'> & {
    readonly matches?: readonly WaitingMatch[];
  })[];
};

const isWaiting = (note: unknown): note is WaitingNote =>
  typeof note === 'object' &&
  note !== null &&
  (!('v' in note) || note.v === WAITING_VERSION) &&
  Array.isArray((note as { groups?: unknown }).groups);

const completeNote = (note: WaitingNote): unknown => ({
  ...note,
  v: NOTE_VERSION,
  groups: note.groups.map((group) => ({
    ...group,
    outcome: group.outcome.endsWith('_needed') ? 'needs' : group.outcome,
    ...(group.matches && { matches: group.matches.map(completeMatch) }),
  })),
});

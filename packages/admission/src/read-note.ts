import { type StepNote, StepNoteSchema } from '@verdict/contracts/step-note.js';
import { Compile } from 'typebox/compile';

const schema = Compile(StepNoteSchema);

/** A note as step.lua wrote it. */
export function readNote(text: string): StepNote {
  const note: unknown = JSON.parse(text);
  if (!schema.Check(note)) throw new Error('a note of the step does not read as one');
  return note;
}

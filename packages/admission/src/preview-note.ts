import type { StepNote } from '@verdict/contracts/step-note.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import { type PreviewGroup, preview } from '@verdict/redis-store/step.js';
import { readNote } from './read-note.js';

export interface PreviewOptions {
  readonly store: AccountStore;
  /** Brings an account into Redis that is not there. Throws when there is none. */
  readonly project: (accountId: string) => Promise<void>;
}

/** The note of a preview: the moment, and what its checks would meet then. */
export async function previewNote(
  { store, project }: PreviewOptions,
  asked: PreviewGroup,
): Promise<{ readonly now: number; readonly group: StepNote['groups'][number] }> {
  let note = readNote(await preview(store, asked));
  if (note.groups[0]?.outcome === 'absent') {
    await project(asked.accountId);
    note = readNote(await preview(store, asked));
  }
  const [group] = note.groups;
  if (group?.outcome !== 'granted') throw new Error(`a preview answered ${group?.outcome}`);
  return { now: note.now, group };
}

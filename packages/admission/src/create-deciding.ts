import type { ListedValue } from '@verdict/domain/account-list.js';
import type { Subject } from '@verdict/redis-store/step.js';
import { type PreviewOptions, previewNote } from './preview-note.js';

/** Subjects of a script: Redis does nothing else meanwhile. */
const SUBJECTS_MAX = 100;

/**
 * Tells which subjects an entry would decide if it were on the account's list. The step's own script ranks it among the others,
 * so that nothing else knows their order; nothing is written.
 */
export function createDeciding(options: PreviewOptions) {
  return async (
    accountId: string,
    pretended: ListedValue,
    subjects: readonly Subject[],
  ): Promise<boolean[]> => {
    const kind = pretended.match === 'exact' ? pretended.kind : pretended.match;
    const decides = subjects.map(() => false);
    for (let from = 0; from < subjects.length; from += SUBJECTS_MAX) {
      const part = subjects.slice(from, from + SUBJECTS_MAX);
      const { group } = await previewNote(options, { accountId, subjects: part, pretended });
      for (const match of group.matches ?? [])
        decides[from + match.at] = match.kind === kind && match.value === pretended.value;
    }
    return decides;
  };
}

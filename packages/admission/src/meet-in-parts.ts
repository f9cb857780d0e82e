import type { ListMatch } from '@verdict/contracts/step-note.js';
import type { Met } from '@verdict/redis-store/step.js';
import { type PreviewOptions, previewNote } from './preview-note.js';
import { type Meetable, toSubject } from './to-subject.js';

/** Checks that one script compares with the lists of accounts, at most: Redis serves no other client meanwhile. */
export const SUBJECTS_MAX = 100;

/**
 * Compares many checks with the account's lists before their step, a script for each hundred. The parts are read at different
 * moments, so the step takes them only while the version of the first one is still in use.
 */
export async function meetInParts(
  options: PreviewOptions,
  accountId: string,
  checks: readonly Meetable[],
): Promise<Met> {
  const matches: ListMatch[] = [];
  let lists: string | undefined;
  let extra = 0;
  let ends = Number.POSITIVE_INFINITY;
  for (let from = 0; from < checks.length; from += SUBJECTS_MAX) {
    const subjects = checks.slice(from, from + SUBJECTS_MAX).map(toSubject);
    const { group } = await previewNote(options, { accountId, subjects });
    if (!group.met) throw new Error('a preview did not say for how long its matches hold');
    lists ??= group.met.lists;
    extra += group.met.extra;
    ends = Math.min(ends, group.met.ends ?? ends);
    for (const match of group.matches ?? []) matches.push({ ...match, at: from + match.at });
  }
  return {
    lists: lists ?? '',
    extra,
    ends: Number.isFinite(ends) ? ends : undefined,
    matches: matches.length > 0 ? JSON.stringify(matches) : '',
  };
}

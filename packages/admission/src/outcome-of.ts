import type { GroupNote, StepNote } from '@verdict/contracts/step-note.js';
import { seenOf } from './seen-of.js';
import type { AccountView, Outcome } from './submission.js';

/** Absent: not in Redis. */
export type Decided = Outcome | { readonly state: 'absent' };

/** Reads the outcome of one group out of the step's note. */
export function outcomeOf(note: StepNote, position: number): Decided {
  const group = note.groups[position] as GroupNote;
  const { outcome: state, used = 0, limit = 0 } = group;
  switch (state) {
    case 'granted':
      return {
        state,
        account: viewOf(note, group.caller),
        used,
        nowMicros: note.now,
        matches: group.matches ?? [],
        seen: seenOf(group),
        policies: group.policies ?? '',
      };
    case 'quota':
    case 'key_quota':
    case 'rate':
    case 'remembered':
      return { state, account: viewOf(note, group.caller), used };
    case 'tests':
      return { state, account: viewOf(note, group.caller), used, limit };
    case 'replay':
      return { state, record: group.record ?? '', account: viewOf(note, group.caller) };
    case 'needs':
      return { state, needs: group.needs ?? '', policies: group.policies ?? '' };
    case 'forbidden':
      return { state, unknown: group.unknown ?? false };
    default:
      return { state };
  }
}

function viewOf(note: StepNote, position: number): AccountView {
  const view = note.callers[position];
  if (view?.state !== 'known') throw new Error('the step granted a check without a caller');
  const {
    plan,
    limit,
    rate,
    rate_left: rateLeft,
    rate_wait: rateWaitMicros,
    used,
    key_limit,
    key_used,
  } = view;
  const isTest = view.test === true;
  const seen = { plan, limit, rate, rateLeft, rateWaitMicros, used, isTest, nowMicros: note.now };
  return key_limit === undefined ? seen : { ...seen, key: { limit: key_limit, used: key_used ?? 0 } };
}

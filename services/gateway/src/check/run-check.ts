import type { Admission } from '@verdict/admission/admission.js';
import { readRecord, toOnce } from '@verdict/admission/replay-record.js';
import type { Outcome, Submission } from '@verdict/admission/submission.js';
import type { CheckResult, Expansion } from '@verdict/contracts/check-api.js';
import type { Caller } from '@verdict/redis-store/step.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { idempotencyMismatch, unavailable } from '@verdict/service-kit/errors.js';
import type { ScoringClient } from '../clients/scoring-client.js';
import type { Scored } from '../clients/stream-scores.js';
import type { CheckInput } from './check-input.js';
import type { OnceOnly } from './idempotency.js';
import { refuse } from './refuse.js';
import { toResult } from './to-result.js';

export interface CheckDependencies {
  readonly admission: Pick<Admission, 'isTrusted' | 'look' | 'take'>;
  readonly scoring: Pick<ScoringClient, 'score'>;
  readonly createLogId: () => string;
}

export interface CheckRequest {
  readonly caller: Caller;
  readonly input: CheckInput;
  readonly requestId: string;
  readonly expand: ReadonlySet<Expansion>;
  readonly once: OnceOnly | null;
}

export type Granted = Extract<Outcome, { readonly state: 'granted' }>;

export interface CheckRun {
  readonly result: CheckResult;
  /** Null for a replay: nothing was granted now. */
  readonly granted: Granted | null;
}

/**
 * One check: a look where it pays, the score, and then the one step that grants, counts and logs it. When this returns,
 * the answer may go out. Nothing is begun before the step, so nothing has to be undone when something fails before it;
 * of a step whose answer is lost nobody knows whether it was taken, but it was taken whole or not at all.
 */
export async function runCheck(deps: CheckDependencies, request: CheckRequest): Promise<CheckRun> {
  const { admission, createLogId } = deps;
  const { caller, input, requestId, expand, once } = request;
  if (once || !admission.isTrusted(caller)) {
    const seen = await admission
      .look({ caller, count: 1, once: once && { ...once, rest: '' } })
      .catch(failed('admission'));
    if (seen.state === 'replay') return replay(deps, request, seen.record);
    if (seen.state !== 'granted') throw refuse(seen, caller);
  }

  const scored = await score(deps, request);
  const { verdict, datasets } = scored;
  const id = createLogId();
  const { text: email, canonical } = input.address;
  const submission: Submission = {
    caller,
    requestId,
    checks: [{ id, email, canonical, ip: input.ip, normalIp: input.normalIp, verdict }],
    once:
      once &&
      toOnce(once.name, once.body, {
        checks: [{ id, canonical, verdict }],
        datasets: expand.has('breakdown') ? datasets : undefined,
      }),
  };
  const taken = await admission.take(submission).catch(failed('step'));
  if (taken.state === 'replay') return replay(deps, request, taken.record);
  if (taken.state !== 'granted') throw refuse(taken, caller);
  const { nowMicros, matches } = taken;
  return { result: toResult({ id, input, scored, match: matches[0], nowMicros, expand }), granted: taken };
}

/** The first answer again, from what it left: nothing is counted, and nothing logged. */
async function replay(deps: CheckDependencies, request: CheckRequest, record: string): Promise<CheckRun> {
  const { input, expand, once } = request;
  const { body, ids, verdicts, datasets, matches, nowMicros } = readRecord(record);
  if (body !== once?.body) throw idempotencyMismatch();
  // Where the address was erased since, the record says nothing about it any more; its sender has just named it again.
  const scored = verdicts[0] ? { verdict: verdicts[0], datasets } : await score(deps, request);
  const check = { id: ids[0] ?? '', input, scored, match: matches[0], nowMicros, expand };
  return { result: toResult(check), granted: null };
}

const score = ({ scoring }: CheckDependencies, { input, caller }: CheckRequest): Promise<Scored> =>
  scoring.score({ email: input.address.text, accountId: caller.accountId }).catch(failed('scoring'));

const failed =
  (part: string) =>
  (error: unknown): never => {
    throw error instanceof AppError ? error : unavailable(part, error);
  };

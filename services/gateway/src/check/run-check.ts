import type { CheckResult, Expansion } from '@verdict/contracts/check-api.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { monthOfCreatedAt } from '@verdict/domain/month.js';
import type { Caller } from '@verdict/redis-store/admit.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { LRUCache } from 'lru-cache';
import type { Scored, ScoringClient } from '../clients/scoring-client.js';
import type { AccountProjector } from './account-projector.js';
import { admitCheck, type Granted } from './admit-check.js';
import type { Admitter } from './admitter.js';
import type { CheckInput } from './check-input.js';
import { judgeListed } from './judge.js';
import type { LogWriter } from './log-writer.js';
import { outcomeIsKnown } from './outcome-is-known.js';
import type { Refunder } from './refunder.js';
import { type Check, toLog, toResult } from './to-result.js';

export interface CheckDependencies {
  readonly admitter: Admitter;
  readonly projector: AccountProjector;
  readonly scoring: ScoringClient;
  readonly logWriter: LogWriter;
  readonly refunder: Refunder;
  /** Accounts whose last check was granted: theirs may be scored beside admission. */
  readonly recentlyGranted: LRUCache<string, true>;
  readonly createLogId: () => string;
  readonly log: Logger;
}

/** What an Idempotency-Key adds to a check: its log id, a note of the answer before it is logged, and an end. */
export interface CheckGuard {
  readonly logId: string;
  prepare(answer: string): Promise<void>;
  /** Never throws; false when the check is no longer ours. */
  finish(outcome: 'done' | 'release' | 'abandon'): Promise<boolean>;
}

export interface CheckRequest {
  readonly caller: Caller;
  readonly input: CheckInput;
  readonly requestId: string;
  readonly expand: ReadonlySet<Expansion>;
  readonly guard: CheckGuard | null;
}

export interface CheckRun {
  readonly result: CheckResult;
  readonly granted: Granted;
}

/** One check from admission to durable log; when this returns, the answer may go out. */
export async function runCheck(deps: CheckDependencies, request: CheckRequest): Promise<CheckRun> {
  const { caller, input, requestId, guard } = request;
  const logId = guard?.logId ?? deps.createLogId();
  const early = startScoringEarly(deps, caller, input);
  let granted: Granted;
  try {
    granted = await admitCheck(deps, caller, logId, input);
  } catch (error) {
    deps.recentlyGranted.delete(caller.accountId);
    await guard?.finish(isRefusal(error) ? 'abandon' : 'release');
    throw error;
  }
  if (!deps.recentlyGranted.has(caller.accountId)) deps.recentlyGranted.set(caller.accountId, true);
  const createdAt = formatCreatedAt(granted.admission.admittedAtMicros);

  let scored: Scored;
  try {
    scored = await (early ?? score(deps, caller, input));
  } catch (error) {
    // Nothing was logged, so nothing may be charged.
    await giveBack(deps, request, logId, createdAt);
    throw unavailable('scoring', error);
  }

  const { match } = granted.admission;
  const { line, judgement: own } = scored.verdict;
  const judgement = match === '' ? own : judgeListed(line, match, own.verdict.datasets);
  const check: Check = { logId, requestId, caller, input, scored, judgement, createdAt };
  const result = toResult(check, request.expand);
  if (guard) await guard.prepare(JSON.stringify(result));
  try {
    await deps.logWriter.submit(toLog(check));
  } catch (error) {
    // An unknown outcome is not a failure: the log may be in the queue, and a refund would give the check away.
    if (outcomeIsKnown(error)) await giveBack(deps, request, logId, createdAt);
    else await guard?.finish('release');
    throw unavailable('log', error);
  }
  await guard?.finish('done');
  return { result, granted };
}

const score = (deps: CheckDependencies, caller: Caller, input: CheckInput): Promise<Scored> =>
  deps.scoring.batcher.submit({ email: input.address.text, accountId: caller.accountId });

/** Scoring has no side effects: for an account that was in quota a moment ago the two round trips run side by side. */
function startScoringEarly(
  deps: CheckDependencies,
  caller: Caller,
  input: CheckInput,
): Promise<Scored> | undefined {
  if (!deps.recentlyGranted.has(caller.accountId)) return undefined;
  const early = score(deps, caller, input);
  // Admission may refuse before this fails; then nobody else would be listening.
  early.catch(ignore);
  return early;
}

function ignore(): void {}

/** A 4xx says that the check never began; anything else leaves that open. */
const isRefusal = (error: unknown): boolean => error instanceof AppError && error.status < 500;

async function giveBack(
  deps: CheckDependencies,
  { caller, guard }: CheckRequest,
  logId: string,
  createdAt: string,
): Promise<void> {
  // A check that was taken over is the taker's, and so is its reservation.
  const ours = guard ? await guard.finish('abandon') : true;
  if (ours) deps.refunder.refund(caller.accountId, { logId, month: monthOfCreatedAt(createdAt) });
}

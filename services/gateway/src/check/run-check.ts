import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { monthOfCreatedAt } from '@verdict/domain/month.js';
import type { Caller } from '@verdict/redis-store/admit.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { LRUCache } from 'lru-cache';
import type { Scored, ScoringClient } from '../clients/scoring-client.js';
import type { AccountProjector } from './account-projector.js';
import { admitCheck, type Granted } from './admit-check.js';
import type { Admitter } from './admitter.js';
import type { CheckInput } from './check-input.js';
import { judge } from './judge.js';
import type { LogWriter } from './log-writer.js';
import { outcomeIsKnown } from './outcome-is-known.js';
import type { Refunder } from './refunder.js';
import { type Check, toLog } from './to-result.js';

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

export interface CheckRun {
  readonly check: Check;
  readonly granted: Granted;
}

/** One check from admission to durable log; when this returns, the answer may go out. */
export async function runCheck(
  deps: CheckDependencies,
  caller: Caller,
  input: CheckInput,
  requestId: string,
): Promise<CheckRun> {
  const logId = deps.createLogId();
  const early = startScoringEarly(deps, caller, input);
  const granted = await admitOrForget(deps, caller, logId, input);
  const createdAt = formatCreatedAt(granted.admission.admittedAtMicros);

  let scored: Scored;
  try {
    scored = await (early ?? score(deps, caller, input));
  } catch (error) {
    // Nothing was logged, so nothing may be charged.
    giveBack(deps, caller, logId, createdAt);
    throw unavailable('scoring', error);
  }

  const judgement = judge(scored.line, granted.admission.match);
  const check: Check = { logId, requestId, caller, input, scored, judgement, createdAt };
  try {
    await deps.logWriter.submit(toLog(check));
  } catch (error) {
    // An unknown outcome is not a failure: the log may be in the queue, and a refund would give the check away.
    if (outcomeIsKnown(error)) giveBack(deps, caller, logId, createdAt);
    throw unavailable('log', error);
  }
  return { check, granted };
}

async function admitOrForget(
  deps: CheckDependencies,
  caller: Caller,
  logId: string,
  { address, normalIp }: CheckInput,
): Promise<Granted> {
  const request = { logId, address: address.canonical, domain: address.domain, ip: normalIp };
  try {
    const granted = await admitCheck(deps, { caller, request });
    if (!deps.recentlyGranted.has(caller.accountId)) deps.recentlyGranted.set(caller.accountId, true);
    return granted;
  } catch (error) {
    deps.recentlyGranted.delete(caller.accountId);
    throw error;
  }
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

function giveBack({ refunder }: CheckDependencies, caller: Caller, logId: string, createdAt: string): void {
  refunder.refund(caller.accountId, { logId, month: monthOfCreatedAt(createdAt) });
}

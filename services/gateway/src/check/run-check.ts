import type { Admission } from '@verdict/admission/admission.js';
import { judgeNew } from '@verdict/admission/engine.js';
import { isTestAddress } from '@verdict/admission/fixed-answers.js';
import type { AwaitedSubmission, Candidate, Outcome } from '@verdict/admission/submission.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import { networkOf } from '@verdict/domain/policy/policy-network.js';
import type { Caller } from '@verdict/redis-store/step.js';
import type { Scored, ScoreEntry, ScoreItem } from '@verdict/scoring-client/scored.js';
import type { ScoringClient } from '@verdict/scoring-client/scoring-client.js';
import type { CheckInput } from './check-input.js';
import { failureOf } from './failure-of.js';
import type { HeldPolicies } from './policies.js';
import { refuse } from './refuse.js';
import { type CheckDependencies, type ChecksRequest, type ChecksRun, runChecks } from './run-checks.js';
import { toAnswered } from './to-answered.js';

/** Scoring and the step without promises. */
export interface Direct {
  readonly score: ScoringClient['push'];
  readonly take: Admission['push'];
}

interface Dependencies extends CheckDependencies {
  /** Null where calls are traced, because a trace follows promises. */
  readonly direct: Direct | null;
}

/** Gets the run, or the error instead. */
type Done = (error: unknown, run?: ChecksRun) => void;

/**
 * Runs one check. The usual one needs no look and waits for scoring and the step alone, so it is one object that both
 * batches carry; every other takes `runChecks`.
 */
export function runCheck(deps: Dependencies, request: ChecksRequest, done: Done): void {
  const { direct } = deps;
  const [input] = request.inputs;
  const held = input && direct && policiesOfUsual(deps, request, input);
  if (held) {
    request.stages.lookedAtMs = request.stages.parsedAtMs;
    direct.score(new UsualCheck(deps, direct, request, input, held, done));
  } else runUnusual(deps, request, done);
}

function runUnusual(deps: CheckDependencies, request: ChecksRequest, done: Done): void {
  void runChecks(deps, request).then(
    (run) => done(null, run),
    (error: unknown) => done(error),
  );
}

/** The rules that judge a usual check; undefined for one that is not usual. */
function policiesOfUsual(
  { admission, policies }: CheckDependencies,
  { caller, from, inputs, expand, once }: ChecksRequest,
  input: CheckInput,
): HeldPolicies | undefined {
  if (inputs.length > 1 || once || expand.size > 0 || isTestAddress(input.address)) return undefined;
  if (!admission.isTrusted(caller, from)) return undefined;
  const held = policies.held(caller.accountId, admission.policiesOf(caller));
  return held?.readsNetwork ? undefined : held;
}

/** Its own entry of scoring's batch and its own submission. A failure of one check must not reach the others of its batch. */
class UsualCheck implements ScoreEntry, ScoreItem, Candidate, AwaitedSubmission {
  readonly email: string;
  readonly accountId: string;
  readonly id: string;
  readonly canonical: string;
  readonly ip: string | null;
  readonly normalIp: string;
  readonly tag: string | undefined;
  /** Set by scoring. */
  verdict!: Verdict;
  readonly caller: Caller;
  readonly requestId: string;
  readonly checks: readonly [Candidate];
  readonly policies: string;
  readonly from: () => string;
  settled = false;
  readonly #deps: CheckDependencies;
  readonly #direct: Direct;
  readonly #request: ChecksRequest;
  readonly #input: CheckInput;
  readonly #held: HeldPolicies;
  readonly #done: Done;

  constructor(
    deps: CheckDependencies,
    direct: Direct,
    request: ChecksRequest,
    input: CheckInput,
    held: HeldPolicies,
    done: Done,
  ) {
    const { caller, requestId, from } = request;
    this.email = input.address.text;
    this.accountId = caller.accountId;
    this.id = deps.createLogId();
    this.canonical = input.address.canonical;
    this.ip = input.ip;
    this.normalIp = input.normalIp;
    this.tag = input.tag;
    this.caller = caller;
    this.requestId = requestId;
    this.checks = [this];
    this.policies = held.text;
    this.from = from;
    this.#deps = deps;
    this.#direct = direct;
    this.#request = request;
    this.#input = input;
    this.#held = held;
    this.#done = done;
  }

  get item(): ScoreItem {
    return this;
  }

  resolve({ verdict }: Scored): void {
    if (this.settled) return;
    this.settled = true;
    this.verdict = verdict;
    this.#request.stages.scoredAtMs = performance.now();
    try {
      this.#direct.take(this);
    } catch (error) {
      this.notTaken(error);
    }
  }

  reject(error: unknown): void {
    if (this.settled) return;
    this.settled = true;
    this.#done(failureOf('scoring', error));
  }

  taken(outcome: Outcome): void {
    this.#request.stages.steppedAtMs = performance.now();
    try {
      // Nothing was counted: the account's rules have changed, and those that hold now are loaded first.
      if (outcome.state === 'needs') runUnusual(this.#deps, this.#request, this.#done);
      else this.#done(null, this.#toRun(outcome));
    } catch (error) {
      this.#done(error);
    }
  }

  notTaken(error: unknown): void {
    this.#done(failureOf('step', error));
  }

  #toRun(outcome: Exclude<Outcome, { readonly state: 'needs' }>): ChecksRun {
    if (outcome.state === 'replay') throw new Error('a check without an Idempotency-Key has no replay');
    if (outcome.state !== 'granted') throw refuse(outcome, this.caller, 1);
    const { account, nowMicros, matches, seen, policies } = outcome;
    const policy = policies === '' ? null : this.#held.live;
    const answered = toAnswered({
      id: this.id,
      input: this.#input,
      scored: { verdict: this.verdict, datasets: undefined },
      match: matches[0],
      seen: seen[0],
      network: undefined,
      ruled: policy && {
        policy,
        domain: domainOfAddress(this.canonical),
        key: this.caller.keyId,
        network: networkOf({ ip: this.ip, network: undefined }),
        atMicros: nowMicros,
      },
      judge: judgeNew,
      nowMicros,
      expand: this.#request.expand,
    });
    return { checks: [answered], account, replayed: false };
  }
}

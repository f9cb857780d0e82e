import type { Admission } from '@verdict/admission/admission.js';
import { engineOf, type Judge, judgeNew } from '@verdict/admission/engine.js';
import { isTestAddress } from '@verdict/admission/fixed-answers.js';
import { readRecord, toIdempotency } from '@verdict/admission/replay-record.js';
import type { AccountView, Outcome, Submission } from '@verdict/admission/submission.js';
import type { Expansion } from '@verdict/contracts/check-api.js';
import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import type { CompiledPolicy } from '@verdict/domain/policy/compile-policy.js';
import { networkOf, networkText } from '@verdict/domain/policy/policy-network.js';
import type { Caller } from '@verdict/redis-store/step.js';
import type { Scored } from '@verdict/scoring-client/scored.js';
import type { ScoringClient } from '@verdict/scoring-client/scoring-client.js';
import { idempotencyMismatch, unavailable } from '@verdict/service-kit/errors.js';
import type { Stages } from '../answers/stages.js';
import type { Looks } from '../looks/looks.js';
import type { CheckInput } from './check-input.js';
import { failureOf } from './failure-of.js';
import type { IdempotentRequest } from './idempotency.js';
import type { IpNetworksOf } from './ip-networks.js';
import { type Looked, lookAtChecks } from './look-at-checks.js';
import type { HeldPolicies, Policies } from './policies.js';
import { refuse } from './refuse.js';
import { testAnswer } from './test-answers.js';
import { type AnsweredCheck, toAnswered } from './to-answered.js';

export interface CheckDependencies {
  readonly admission: Pick<Admission, 'isTrusted' | 'policiesOf' | 'look' | 'take'>;
  readonly scoring: Pick<ScoringClient, 'score' | 'scoreAll'>;
  readonly createLogId: () => string;
  readonly ipNetworks: IpNetworksOf;
  readonly policies: Policies;
  /** Looks without a step have a separate rate. */
  readonly looks: Pick<Looks, 'spend' | 'noteSeen'>;
}

export interface ChecksRequest {
  readonly caller: Caller;
  /** Where the request comes from; asked for by few keys. */
  readonly from: () => string;
  /** One for POST /check/, any number for a batch: granted together or not at all. */
  readonly inputs: readonly CheckInput[];
  readonly requestId: string;
  /** Written here, read when the answer was slow. */
  readonly stages: Stages;
  readonly expand: ReadonlySet<Expansion>;
  readonly once: IdempotentRequest | null;
  /** The answer of an earlier look; without one, a look is made where it pays. */
  readonly seen?: Looked | undefined;
}

export interface ChecksRun {
  /** In the order of the inputs. */
  readonly checks: readonly AnsweredCheck[];
  /** As the step left it. */
  readonly account: AccountView;
  /** The answer of an earlier request: nothing was counted. */
  readonly replayed: boolean;
}

/**
 * Looks where it pays, scores, and takes the step that grants, counts and logs; when this returns, the answer may go
 * out. Nothing needs undoing if something fails before the step, and a step whose reply is lost was taken whole or not
 * at all.
 */
export async function runChecks(deps: CheckDependencies, request: ChecksRequest): Promise<ChecksRun> {
  const { admission, createLogId } = deps;
  const { caller, from, inputs, requestId, expand, once, stages } = request;
  const mayBeTest = inputs.some(({ address }) => isTestAddress(address));
  let rehearsed: AccountView | null = null;
  if (request.seen || once || inputs.length !== 1 || mayBeTest || !admission.isTrusted(caller, from)) {
    const seen = request.seen ?? (await lookAtChecks(deps, { caller, from, once, count: inputs.length }));
    if (seen.state === 'replay') return replay(deps, request, seen);
    if (seen.state !== 'granted') throw refuse(seen, caller, inputs.length);
    if (inputs.length === 0) return { checks: [], account: seen.account, replayed: false };
    if (mayBeTest && seen.account.isTest) {
      rehearsed = seen.account;
      deps.looks.noteSeen(caller.keyId, seen.account);
      deps.looks.spend(caller.keyId);
    }
  }

  let asked: ReturnType<IpNetworksOf> | undefined;
  const networksOf = () => {
    const ips = inputs.map(({ normalIp }) => normalIp);
    asked ??= deps.ipNetworks(caller.accountId, ips);
    return asked;
  };
  const versions = admission.policiesOf(caller);
  const first =
    deps.policies.held(caller.accountId, versions) ?? (await deps.policies.load(caller.accountId, versions));
  if (expand.has('signals') || first.readsNetwork) void networksOf();
  stages.lookedAtMs = performance.now();
  const scores = rehearsed
    ? await rehearse(deps, caller, inputs, rehearsed)
    : await scoreAll(deps, caller, inputs);
  stages.scoredAtMs = performance.now();
  const checks = inputs.map(({ address, ip, normalIp, tag }, i) => ({
    id: createLogId(),
    email: address.text,
    canonical: address.canonical,
    ip,
    normalIp,
    tag,
    verdict: (scores[i] as Scored).verdict,
  }));
  const networks = expand.has('signals') ? await networksOf() : undefined;
  const datasets = expand.has('breakdown') ? scores[0]?.datasets : undefined;
  const { taken, held, networkTexts } = await takeUnderPolicy(
    deps,
    caller,
    first,
    networksOf,
    (policies, found) => {
      const judged = found ? checks.map((check, i) => ({ ...check, network: found[i] })) : checks;
      return {
        caller,
        from,
        requestId,
        checks: judged,
        policies,
        once:
          once &&
          toIdempotency(once.name, once.body, {
            checks: judged,
            datasets,
            networks,
            key: policies === '' ? undefined : caller.keyId,
          }),
      };
    },
  );
  stages.steppedAtMs = performance.now();
  if (taken.state === 'replay') return replay(deps, request, taken);
  if (taken.state !== 'granted') throw refuse(taken, caller, inputs.length);
  const ids = checks.map(({ id }) => id);
  const policy = taken.policies === '' ? null : held.live;
  return {
    checks: toAnsweredChecks(request, ids, scores, {
      ...taken,
      networks,
      policy,
      networkTexts,
      key: caller.keyId,
      judge: judgeNew,
    }),
    account: taken.account,
    replayed: false,
  };
}

/** Each time the versions changed meanwhile it is submitted again. */
const POLICY_ATTEMPTS_MAX = 10;

type NetworkTexts = readonly (string | undefined)[] | undefined;

/** Takes the step with the rules that the account has now: where the step asks for others, they are loaded first. */
async function takeUnderPolicy(
  { admission, policies }: CheckDependencies,
  { accountId }: Caller,
  first: HeldPolicies,
  networksOf: () => ReturnType<IpNetworksOf>,
  toSubmission: (policies: string, networkTexts: NetworkTexts) => Submission,
) {
  let held = first;
  let networkTexts: NetworkTexts;
  for (let attempt = 1; ; attempt++) {
    if (held.readsNetwork && !networkTexts) networkTexts = textsOf(await networksOf());
    const taken = await admission.take(toSubmission(held.text, networkTexts)).catch(failed('step'));
    if (taken.state !== 'needs') return { taken, held, networkTexts };
    if (attempt === POLICY_ATTEMPTS_MAX) throw unavailable('policy');
    held = await policies.load(accountId, taken.policies);
  }
}

/** Undefined where no IP was sent, or the account does not look IPs up: a rule about a network that is not known does not match. */
const textsOf = (networks: Awaited<ReturnType<IpNetworksOf>>): NetworkTexts =>
  (networks ?? []).map((network) => (network ? networkText(network) : undefined));

/** Answers that never change for the addresses that have some, scores for the others. */
const rehearse = (
  deps: CheckDependencies,
  caller: Caller,
  inputs: readonly CheckInput[],
  account: AccountView,
): Promise<Scored[]> =>
  Promise.all(
    inputs.map(async (input) => {
      const answer = isTestAddress(input.address) ? await testAnswer(input, account) : undefined;
      return answer ?? score(deps, caller, input);
    }),
  );

/** The first answer again, from what it left: nothing is counted, and nothing logged. */
async function replay(
  deps: CheckDependencies,
  request: ChecksRequest,
  { record, account }: Extract<Outcome, { readonly state: 'replay' }>,
): Promise<ChecksRun> {
  const { caller, inputs, once } = request;
  const {
    body,
    ids,
    verdicts,
    datasets,
    policies,
    engine,
    key = caller.keyId,
    ...granted
  } = readRecord(record);
  if (body !== once?.body) throw idempotencyMismatch();
  const judgeFirst = engineOf(engine);
  // Another answer than the first would be worse than none: a gateway of the release that wrote it, or a newer one, has it.
  if (!judgeFirst)
    throw unavailable('replay', new Error(`engine ${engine} of the rules is not known to this gateway`));
  const policy = policies === '' ? null : (await deps.policies.load(caller.accountId, policies)).live;
  // Where an address was erased since, the record says nothing about it any more; its sender has just named it again.
  const scores = await Promise.all(
    inputs.map((input, i) => {
      const verdict = verdicts[i];
      return verdict ? { verdict, datasets } : score(deps, caller, input);
    }),
  );
  return {
    checks: toAnsweredChecks(request, ids, scores, { ...granted, policy, key, judge: judgeFirst }),
    account,
    replayed: true,
  };
}

type Answered = Pick<Extract<Outcome, { readonly state: 'granted' }>, 'nowMicros' | 'matches' | 'seen'> & {
  readonly networks: Awaited<ReturnType<IpNetworksOf>>;
  readonly policy: CompiledPolicy | null;
  /** Of the networks of IPs, where the policy may ask about them. */
  readonly networkTexts: NetworkTexts;
  /** The key that asked first. */
  readonly key: string;
  readonly judge: Judge;
};

function toAnsweredChecks(
  { inputs, expand }: ChecksRequest,
  ids: readonly string[],
  scores: readonly (
    | Scored
    | (Omit<Scored, 'datasets'> & { readonly datasets: Scored['datasets'] | undefined })
  )[],
  { nowMicros, matches, seen, networks, policy, networkTexts, key, judge }: Answered,
): AnsweredCheck[] {
  const matchAt = new Map(matches.map((match) => [match.at, match]));
  return inputs.map((input, i) =>
    toAnswered({
      id: ids[i] as string,
      input,
      scored: scores[i] as Scored,
      match: matchAt.get(i),
      seen: seen[i],
      network: networks?.[i],
      ruled: policy && {
        policy,
        domain: domainOfAddress(input.address.canonical),
        key,
        network: networkOf({ ip: input.ip, network: networkTexts?.[i] }),
        atMicros: nowMicros,
      },
      judge,
      nowMicros,
      expand,
    }),
  );
}

async function scoreAll(
  deps: CheckDependencies,
  caller: Caller,
  inputs: readonly CheckInput[],
): Promise<Scored[]> {
  const [only] = inputs;
  if (only && inputs.length === 1) return [await score(deps, caller, only)];
  const emails = inputs.map(({ address }) => address.text);
  return deps.scoring.scoreAll({ emails, accountId: caller.accountId }).catch(failed('scoring'));
}

const score = ({ scoring }: CheckDependencies, caller: Caller, input: CheckInput): Promise<Scored> =>
  scoring.score({ email: input.address.text, accountId: caller.accountId }).catch(failed('scoring'));

const failed =
  (part: string) =>
  (error: unknown): never => {
    throw failureOf(part, error);
  };

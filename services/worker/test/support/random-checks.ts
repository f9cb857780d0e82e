import { type Judgement, judge } from '@verdict/admission/judge.js';
import type { CheckLogJob, DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import { expandedFlags } from '@verdict/contracts/signal-flags.js';
import type { ListMatch, Seen } from '@verdict/contracts/step-note.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import type { CompiledPolicy } from '@verdict/domain/policy/compile-policy.js';
import { networkOf } from '@verdict/domain/policy/policy-network.js';
import { checkLog, jobOf, verdictOf } from './check-log.js';

export const KEY = 'key_01K00000000000000000000000';

/** A job whose note names versions of the policy. */
export function judgedBy(policies: string, logs: ReturnType<typeof checkLog>[]): CheckLogJob {
  const job = jobOf(logs);
  if (!job.note) throw new Error('no note');
  return { ...job, note: { ...job.note, groups: job.note.groups.map((group) => ({ ...group, policies })) } };
}

export type Random = (below: number) => number;

/** The same numbers for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** The answer to a check, and the one that other rules would give. */
export interface Answer extends Pick<Judgement, 'decision' | 'risk_score'> {
  readonly factors: readonly { readonly code: string; readonly points: number }[];
  readonly under: (policy: CompiledPolicy) => Judgement;
}

interface Asked {
  readonly account: string;
  readonly version: number;
  readonly policy: CompiledPolicy;
  readonly checks: number;
  /** created_at of all of them. */
  readonly atMicros: number;
}

/** A job of checks with random verdicts, entries met, repetitions and networks. */
export function randomChecks(random: Random, { account, version, policy, checks, atMicros }: Asked) {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const answers = new Map<string, Answer>();
  const logs = Array.from({ length: checks }, () => {
    const score = random(101);
    const flags = Object.keys(expandedFlags).map((flag) => [flag, random(2) === 0]);
    const factors =
      score === 0 ? [] : [{ code: pick(['RELAY_DOMAIN', 'PLUS_TAG', 'OTHER']), points: score, reason: 'r' }];
    const verdict = {
      ...verdictOf(),
      risk_score: score,
      signals: {
        disposable_email: random(2) === 0,
        mx_valid: random(2) === 0,
        free_provider: random(2) === 0,
      },
      extra: {
        suggestion: null,
        mail: pick([
          '',
          'example-corp.com mail.example-corp.com',
          'decoy.org mx.decoy.org mx2.rotating-hosts.net',
        ]),
        ...Object.fromEntries(flags),
      },
      factors,
    };
    const domain = pick(['example.com', 'mail.example.edu.au', 'relay.example', 'other.org']);
    const key_id = pick([KEY, 'key_01K00000000000000000000001']);
    const ip = pick([null, '192.0.2.1']);
    const created_at = formatCreatedAt(atMicros);
    return checkLog({ account_id: account, key_id, email: `a@${domain}`, ip, verdict, created_at });
  });
  const job = judgedBy(`${version}/`, logs);
  const groups = job.groups.map((group, i) => {
    const [check] = group.checks;
    const log = logs[i];
    if (!check || !log || !job.note) throw new Error('every group has a check');
    const network = log.ip === null ? undefined : pick(['', 'tor', 'vpn DE 64500', ' FR ', 'hosting  64501']);
    const noted = job.note.groups[i] as { matches?: ListMatch[]; seen?: Seen[] };
    const match: ListMatch | undefined =
      random(10) === 0
        ? { at: 0, list: 'block', kind: 'domain', value: 'x.org', decision: 'block', risk_score: 100 }
        : undefined;
    const verdict = job.verdicts[check.verdict] as DecidedVerdict;
    const points = verdict.risk_score <= 40 && random(4) === 0 ? [30, null, null, null] : undefined;
    const seen: Seen | undefined =
      random(3) === 0
        ? undefined
        : {
            counts: [1 + random(16), random(2) === 0 ? null : 2, null, null],
            ...(points && {
              points,
              risk_score: verdict.risk_score + 30,
              decision: decisionForScore(verdict.risk_score + 30),
            }),
          };
    if (match) noted.matches = [match];
    if (seen) noted.seen = [seen];
    const facts = {
      domain: log.email.slice(2),
      key: log.key_id,
      network: networkOf({ ip: log.ip, network }),
      atMicros,
    };
    const under = (other: CompiledPolicy) => judge(verdict, match, seen, { ...facts, policy: other });
    const { decision, risk_score, factors } = under(policy);
    const codes = factors.map(({ code, points: own }) => ({ code, points: own }));
    answers.set(log.id, { decision, risk_score, factors: codes, under });
    return { ...group, checks: [{ ...check, ...(network !== undefined && { network }) }] };
  });
  return { job: { ...job, groups }, answers };
}

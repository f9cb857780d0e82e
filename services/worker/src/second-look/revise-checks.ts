import { setTimeout as pause } from 'node:timers/promises';
import { judgeStored } from '@verdict/admission/judge-stored.js';
import { SECOND_LOOK_MAX, type SecondLookReply } from '@verdict/contracts/scoring-api.js';
import { type FoundCheck, readFoundChecks } from '@verdict/db/revisions/found-checks.js';
import { type NewRevision, saveRevisions, type TakenLook } from '@verdict/db/revisions/second-look-queue.js';
import { LIST_CODES } from '@verdict/domain/account-list.js';
import { burstRules } from '@verdict/domain/burst-rules.js';
import { RULE_CODES } from '@verdict/domain/policy/apply-policy.js';
import type { CompiledPolicy } from '@verdict/domain/policy/compile-policy.js';
import type { SecondLookDependencies } from './second-look-work.js';

const RESTS = 7;
const BURSTS: ReadonlySet<string> = new Set(burstRules.map(({ code }) => code));
/** Factors that no signal made: they stay where they are for the judge to see. */
const KEPT: ReadonlySet<string> = new Set([
  ...BURSTS,
  ...Object.values(LIST_CODES),
  ...Object.values(RULE_CODES),
]);
const SCORE_MAX = 100;

/** Judges found checks again, page by page. `behind`: scoring has another release than the one looked for. */
export async function reviseChecks(
  { db, scoring, policyRules }: Pick<SecondLookDependencies, 'db' | 'scoring' | 'policyRules'>,
  look: TakenLook,
  isOver: () => boolean,
): Promise<'done' | 'behind' | 'more'> {
  let { cursor } = look;
  while (!isOver()) {
    const begun = performance.now();
    const checks = await readFoundChecks(db, look.id, cursor, SECOND_LOOK_MAX);
    const revisions: NewRevision[] = [];
    if (checks.length > 0) {
      const again = await scoring.secondLook({ checks: checks.map(asked) });
      if (again.release !== (isShipped(look.release) ? null : look.release)) return 'behind';
      for (const [i, check] of checks.entries()) {
        const { account_id, policy_version: version } = check;
        const policy = version === null ? null : await policyRules(account_id, version);
        const revision = reviseCheck(check, again.checks[i] ?? null, policy);
        if (revision) revisions.push(revision);
      }
    }
    const last = checks.at(-1);
    cursor = last ? { at: last.created_at, id: last.id } : cursor;
    const isLast = checks.length < SECOND_LOOK_MAX;
    if (!(await saveRevisions(db, look, { cursor, revisions, isLast })) || isLast) return 'done';
    await pause(RESTS * (performance.now() - begun));
  }
  return 'more';
}

/** The data that came with the software has no release. */
const isShipped = (release: string): boolean => release.startsWith('shipped');

const asked = ({ domain, factors, mx }: FoundCheck) => ({
  domain: domain ?? '',
  codes: factors.map(({ code }) => code),
  mx,
});

/**
 * The decision that a check gets by the lists of now, where that differs from its own. The rules are those that
 * judged it, and a check that met an entry of the account's lists stays. Where lists say what they said, the check's own
 * decision is right again, which is how a rollback revises back.
 */
function reviseCheck(
  check: FoundCheck,
  again: SecondLookReply['checks'][number],
  policy: CompiledPolicy | null,
): NewRevision | null {
  if (check.domain === null) return null;
  const judged = again === null ? check : judgeStored(rescored(check, again), policy, check.ip_intelligence);
  if (typeof judged === 'string' || judged.decision === check.standing) return null;
  return {
    id: check.id,
    from: check.standing,
    to: judged.decision,
    risk_score: judged.risk_score,
    codes: judged.factors.map(({ code }) => code),
  };
}

function rescored(check: FoundCheck, again: NonNullable<SecondLookReply['checks'][number]>): FoundCheck {
  const bursts = check.factors.filter(({ code }) => BURSTS.has(code));
  const points = bursts.reduce((sum, each) => sum + each.points, again.risk_score);
  const others = check.factors.filter(({ code }) => KEPT.has(code));
  return {
    ...check,
    verdict_score: check.verdict_score === null ? null : Math.min(SCORE_MAX, points),
    signals: { ...check.signals, disposable_email: again.disposable_email },
    factors: [...again.factors, ...others],
  };
}

import type { GrantedCheck } from '@verdict/admission/granted-checks.js';
import { type Judgement, judge } from '@verdict/admission/judge.js';
import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import type { CheckRow, CheckVerdict } from '@verdict/db/checks/check-row.js';
import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { type EmailStorage, storedEmail, storedIp, storedReasons } from '@verdict/domain/email-storage.js';
import { oncePerObject } from '@verdict/domain/once-per-object.js';
import type { Judged } from './judge-granted.js';

export interface Privacy {
  readonly storage: EmailStorage;
  readonly hashSecret: string;
}

export interface JudgedCheck extends GrantedCheck, Judged {
  /** As it was before lists. */
  readonly verdict: DecidedVerdict;
}

/** The check as it is stored: no more of the person than the operator allows. */
export function toCheckRow(
  judged: JudgedCheck,
  createdAt: string,
  { storage, hashSecret }: Privacy,
): CheckRow {
  const { group, check, judgement, policyVersion, shadow, verdict, match, seen } = judged;
  const { email, canonical, ip } = check;
  const domain = domainOfAddress(canonical);
  const mailbox = mailboxOf({ canonical, domain }, true);
  const reasons = storedReasons(storage, judgement.reasons, [email, canonical], ip);
  const isOwn = match === undefined && seen?.points === undefined && judgement.watched === undefined;
  const isShared = isOwn && reasons === judgement.reasons;
  return {
    id: check.id,
    account_id: group.account_id,
    key_id: group.key_id,
    request_id: group.request_id,
    created_at: createdAt,
    email: storedEmail(storage, email),
    domain,
    email_hash: hashEmail(hashSecret, canonical),
    mailbox_hash: mailbox === canonical ? null : hashEmail(hashSecret, mailbox),
    ip: storedIp(storage, ip),
    policy_version: policyVersion,
    policy_rule: judgement.rule ?? null,
    watched: judgement.watched?.length ? judgement.watched : null,
    seen: seen?.counts ?? null,
    ip_network: check.network ?? (ip === null ? '' : null),
    shadow,
    tag: check.tag ?? null,
    verdict: isShared ? storedAlone(verdict) : toStored(judgement, verdict, reasons),
  };
}

function toStored(judgement: Judgement, verdict: DecidedVerdict, reasons = judgement.reasons): CheckVerdict {
  const { decision, risk_score, signals } = judgement;
  const factors = judgement.factors.map(({ code, points }) => ({ code, points }));
  const { own_score: verdict_score } = judgement;
  const { datasets } = verdict;
  const extra = Object.entries(verdict.extra).flatMap(([flag, value]) => (value === true ? [flag] : []));
  const mx = verdict.extra.mail ?? null;
  return { decision, risk_score, verdict_score, signals, extra, mx, factors, datasets, reasons };
}

/** Rows without lists that share a verdict share what is stored of it. */
const storedAlone = oncePerObject((verdict: DecidedVerdict) => toStored(judge(verdict), verdict));

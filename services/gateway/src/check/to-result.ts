import { decide } from '@verdict/admission/decide.js';
import type { Judge } from '@verdict/admission/engine.js';
import type { Ruled } from '@verdict/admission/judge.js';
import type { CheckResult, Expansion } from '@verdict/contracts/check-api.js';
import type { Datasets } from '@verdict/contracts/datasets.js';
import type { IpNetwork } from '@verdict/contracts/ip-network.js';
import type { ListMatch, Seen } from '@verdict/contracts/step-note.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import type { CheckInput } from './check-input.js';

/** The parts of an answer, the first or a replay. */
export interface AnsweredCheck {
  readonly id: string;
  readonly input: CheckInput;
  readonly scored: { readonly verdict: Verdict; readonly datasets: Datasets | undefined };
  readonly match: ListMatch | undefined;
  readonly seen: Seen | undefined;
  /** Of its IP, where the answer says it. */
  readonly network: IpNetwork | null | undefined;
  /** The account's policy, where it has one. */
  readonly ruled: Ruled | null;
  /** The engine that judges it, or judged it first. */
  readonly judge: Judge;
  readonly nowMicros: number;
  readonly expand: ReadonlySet<Expansion>;
}

export function toResult({
  id,
  input,
  scored,
  match,
  seen,
  network,
  ruled,
  judge,
  nowMicros,
  expand,
}: AnsweredCheck): CheckResult {
  const { verdict, datasets } = scored;
  const { decision, risk_score, signals, factors, reasons } = judge(decide(verdict), match, seen, ruled);
  const result: CheckResult = {
    success: true,
    id,
    email: input.address.text,
    ip: input.ip,
    decision,
    risk_score,
    signals: expand.has('signals')
      ? {
          ...signals,
          ...verdict.extra,
          mailbox: mailboxOf(input.address, verdict.extra.alias),
          seen: showSeen(seen),
          ...(network && { ip: showNetwork(network) }),
        }
      : signals,
    reasons: reasons as string[],
    created_at: formatCreatedAt(nowMicros),
  };
  if (expand.has('breakdown') && datasets) result.breakdown = { factors: [...factors], datasets };
  return result;
}

function showNetwork({ kind, country = null, asn = null, organisation = null }: IpNetwork) {
  return { kind, country, asn, organisation };
}

function showSeen(seen: Seen | undefined) {
  const [mailbox = null, domain = null, shape = null, ip = null] = seen?.counts ?? [];
  return { mailbox, domain, shape, ip };
}

import type { CheckResult } from '@verdict/contracts/check-api.js';
import type { IpNetwork } from '@verdict/contracts/ip-network.js';
import type { Seen } from '@verdict/contracts/step-note.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { mailOf } from '@verdict/domain/mail-servers.js';
import type { AnsweredCheck } from './to-answered.js';

/** The answer with its expansions. */
export function toResult(check: AnsweredCheck): CheckResult {
  const { id, input, verdict, judgement, datasets, seen, network, nowMicros, expand } = check;
  const { decision, risk_score, signals, factors, reasons } = judgement;
  const { mail, ...extra } = verdict.extra;
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
          ...extra,
          mailbox: mailboxOf(input.address, extra.alias),
          seen: showSeen(seen),
          mx: mailOf(mail),
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

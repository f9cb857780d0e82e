import { decide } from '@verdict/admission/decide.js';
import type { Judge } from '@verdict/admission/engine.js';
import type { Ruled } from '@verdict/admission/judge.js';
import type { ListMatch } from '@verdict/contracts/step-note.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { BulkVerdict } from '@verdict/db/bulk/store-verdicts.js';
import type { LoggedCheckRow } from '@verdict/db/checks/logged-checks.js';

/** The factor that says that DNS could not answer. */
const UNKNOWN = 'DNS_INDETERMINATE';
/** The factor of a relay, whose mail servers may be known without DNS, as those of free providers are. */
const RELAY = 'RELAY_DOMAIN';

interface Named {
  readonly number: number;
  readonly logId: string;
  /** created_at of its check. */
  readonly checkedAt: string | null;
}

/** The result of a verdict for a row, by the engine that judges its check. Where the account's list decides, DNS need not be asked again. */
export function toBulkVerdict(
  { number, logId, checkedAt }: Named,
  verdict: Verdict,
  match: ListMatch | undefined,
  ruled: Ruled | null,
  judge: Judge,
): BulkVerdict {
  const judgement = judge(decide(verdict), match, undefined, ruled);
  return {
    number,
    logId,
    checkedAt,
    decision: judgement.decision,
    riskScore: judgement.risk_score,
    signals: judgement.signals,
    reasons: judgement.reasons,
    unknown: match === undefined && verdict.extra.mx_unknown === true,
    dnsAnswered: isAnswered(verdict),
  };
}

/** The same from the row that is in Postgres already. */
export const fromLoggedCheck = (
  { number, logId }: Omit<Named, 'checkedAt'>,
  row: LoggedCheckRow,
): BulkVerdict => ({
  number,
  logId,
  checkedAt: row.created_at,
  decision: row.decision,
  riskScore: row.risk_score,
  signals: row.signals,
  reasons: row.reasons,
  unknown: row.factors.some(({ code }) => code === UNKNOWN),
  dnsAnswered: isAnswered(row),
});

const isAnswered = ({ signals, factors }: Pick<LoggedCheckRow, 'signals' | 'factors'>): boolean =>
  signals.mx_valid && !signals.free_provider && !factors.some(({ code }) => code === RELAY);

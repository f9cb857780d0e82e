import { SCORING_VERSION, type ScoreRequest } from '@verdict/contracts/scoring-api.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Scorer } from './scorer.js';
import { createLineWriter } from './write-line.js';

export interface BatchAnswer {
  /** The line with every verdict that needs no look-up. */
  readonly ready: string;
  /** The others, each when its domain has answered or its deadline has passed. */
  readonly slow: readonly Promise<string>[];
}

/** Scores a whole batch with one snapshot. An address that does not parse refuses the batch before any look-up. */
export function scoreBatch(scorer: Scorer, checks: ScoreRequest['checks']): BatchAnswer {
  const addresses = checks.map(({ email }, index) => parseOrRefuse(email, index));
  const writeLine = createLineWriter(SCORING_VERSION, scorer.datasets.versions);
  const slow: Promise<string>[] = [];
  const ready = writeLine((add) => {
    addresses.forEach((address, index) => {
      const verdict = scorer.score(address, checks[index]?.account_id ?? '');
      if (verdict instanceof Promise) slow.push(verdict.then((late) => writeLine((own) => own(index, late))));
      else add(index, verdict);
    });
  });
  return { ready, slow };
}

function parseOrRefuse(email: string, index: number): EmailAddress {
  const result = parseEmail(email);
  if (!result.ok) throw invalidField(`checks.${index}.email`, result.message);
  return result.address;
}

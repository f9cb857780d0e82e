import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { composeVerdict } from '@verdict/scoring/score/compose-verdict.js';
import { judgeDomain } from '@verdict/scoring/score/judge-domain.js';
import { judgeLocal } from '@verdict/scoring/score/judge-local.js';
import { judgeMail } from '@verdict/scoring/score/judge-mail.js';
import type { FactorCode } from '@verdict/scoring/score/weights.js';

export interface Judged {
  readonly domain: string;
  readonly score: number;
  readonly codes: readonly FactorCode[];
  readonly listed: boolean;
  readonly suggestion: string | undefined;
}

export const CHALLENGE = 30;
export const BLOCK = 80;

/** Mail servers that are there and say nothing: no DNS can be asked here, so no rule about servers is measured. */
const plainMail = { kind: 'mx', hosts: ['mx.plain-hoster.com'], addresses: [], routable: true } as const;

/** What an ordinary mailbox at each name gets. Names that are no mail domain are left out. */
export function judgeNames(names: Iterable<string>, datasets: DatasetSnapshot): Judged[] {
  return judgeAddresses(
    [...names].map((name) => `jane@${name}`),
    datasets,
  );
}

/** The same of whole addresses. */
export function judgeAddresses(addresses: readonly string[], datasets: DatasetSnapshot): Judged[] {
  const judged: Judged[] = [];
  for (const text of addresses) {
    const parsed = parseEmail(text);
    if (!parsed.ok) continue;
    const { address } = parsed;
    const facts = judgeDomain(address.domain, address.unicodeDomain, datasets);
    const mail = judgeMail(facts, facts.mail === 'ask' ? plainMail : undefined, datasets);
    const { riskScore, factors } = composeVerdict(address, facts, mail, judgeLocal(address, datasets));
    judged.push({
      domain: text.slice(text.lastIndexOf('@') + 1),
      score: riskScore,
      codes: factors.map(({ finding }) => finding.code),
      listed: facts.disposable !== undefined,
      suggestion: facts.suggestion,
    });
  }
  return judged;
}

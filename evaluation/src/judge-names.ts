import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { mailAt } from '@verdict/scoring/dns/mail-outcome.js';
import { composeVerdict } from '@verdict/scoring/score/compose-verdict.js';
import { judgeDomain } from '@verdict/scoring/score/judge-domain.js';
import { readDomain } from '@verdict/scoring/score/read-domain.js';

export interface Judged {
  readonly domain: string;
  readonly score: number;
  readonly codes: readonly string[];
  readonly listed: boolean;
  readonly suggestion: string | undefined;
}

export const CHALLENGE = 30;
export const BLOCK = 80;

/** Mail servers that are there and say nothing: no DNS can be asked here, so no rule about servers is measured. */
const plainMail = mailAt('mx.plain-hoster.com');

/** The verdict of an ordinary mailbox at each name. Names that are not mail domains are left out. */
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
    const facts = readDomain(address.domain, address.unicodeDomain, datasets);
    const domain = judgeDomain(facts, facts.mail === 'ask' ? plainMail : undefined);
    const { risk_score, factors } = composeVerdict(address, domain, '');
    judged.push({
      domain: text.slice(text.lastIndexOf('@') + 1),
      score: risk_score,
      codes: factors.map(({ code }) => code),
      listed: facts.disposable !== undefined,
      suggestion: facts.typo ?? facts.homograph,
    });
  }
  return judged;
}

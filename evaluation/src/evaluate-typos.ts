import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { allProviders } from '@verdict/domain/address/provider-domains.js';
import { type Share, shareOf } from '@verdict/domain/share-of.js';
import { countShare } from './count-share.js';
import { BLOCK, judgeNames } from './judge-names.js';
import { generateSlips, readMailcheckCases, type TypoCase } from './typo-cases.js';

interface TypoResult {
  readonly answered_with_what_was_meant: Share;
  readonly answered_with_something_else: Share;
  readonly blocked: Share;
  readonly wrong: string;
}

/** Slips of the big providers, by region, and the one of forgetting the dot. */
export function evaluateTypos(shipped: DatasetSnapshot): Record<string, TypoResult | Share> {
  const regions = generateSlips();
  const byRegion = Object.entries(regions).map(([region, cases]): [string, TypoResult] => [
    region,
    evaluate(cases, shipped),
  ]);
  const providers = allProviders();
  const dotless = providers.filter((domain) => {
    const parsed = parseEmail(`jane@${domain.replaceAll('.', '')}`);
    return !parsed.ok && parsed.suggestion === `jane@${domain}`;
  });
  return {
    all_regions: evaluate(Object.values(regions).flat(), shipped),
    ...Object.fromEntries(byRegion),
    lost_dot: shareOf(dotless.length, providers.length),
    mailcheck_expectations: evaluate(readMailcheckCases(), shipped),
  };
}

function evaluate(cases: readonly TypoCase[], shipped: DatasetSnapshot): TypoResult {
  const judged = cases.flatMap(({ domain, meant }) =>
    judgeNames([domain], shipped).map((answer) => ({ ...answer, meant })),
  );
  const wrong = judged.filter(({ suggestion, meant }) => suggestion !== undefined && suggestion !== meant);
  return {
    answered_with_what_was_meant: countShare(judged, ({ suggestion, meant }) => suggestion === meant),
    answered_with_something_else: shareOf(wrong.length, judged.length),
    blocked: countShare(judged, ({ score }) => score >= BLOCK),
    wrong: wrong
      .map(({ domain, meant, suggestion }) => `${domain}: ${suggestion}, meant ${meant ?? 'nothing'}`)
      .join('; '),
  };
}

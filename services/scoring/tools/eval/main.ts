import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DisposableInput } from '@verdict/datasets/build/merge-disposable.js';
import { readHandList } from '@verdict/datasets/build/read-hand-list.js';
import { isVerified } from '@verdict/datasets/evidence.js';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import { LISTS_DIR, SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { getDomain } from 'tldts';
import { judgeDomain } from '../../src/score/judge-domain.js';
import { leaveOneOut, recallOnFresh } from './disposable-recall.js';
import { readPackages } from './read-packages.js';
import { generateSlips, readMailcheckCases, type TypoCase } from './typo-cases.js';

// dist/tools/eval/main.js
const packageDir = fileURLToPath(new URL('../../../', import.meta.url));
const datasets = await loadDatasets(SHIPPED_DIR);
const packages = readPackages();
const hand = (name: string) => new Set(readHandList(LISTS_DIR, name));
const input: DisposableInput = {
  lists: packages,
  relays: hand('relays'),
  knownMail: hand('core-providers'),
  bigDomains: hand('big-domains'),
  placeholders: hand('placeholders'),
  trustedSmall: hand('trusted-small-providers'),
  freemail: new Set(packages.freemail),
  restrictedSuffixes: hand('restricted-suffixes'),
};

const judge = (domain: string) => judgeDomain(domain, domain, datasets);
const suggest = (domain: string) => judge(domain).suggestion;
// freemail itself carries sub-domains of disposable services (kmail.mooo.com, merda.flu.cc): only registrable names are
// taken for real providers here.
const realProviders = packages.freemail.filter(
  (name) => parseMailDomain(name).ok && getDomain(name) === name,
);
const rawUnion = new Set([
  ...packages.curated,
  ...packages.crawled.keys(),
  ...packages.aggregate,
  ...packages.mailchecker,
]);
const mailcheck = readMailcheckCases();
const slips = generateSlips([
  'gmail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
  'icloud.com',
  'protonmail.com',
]);
const neighbours = slips.filter(({ domain }) => rawUnion.has(domain));

const result = {
  disposable_recall: {
    leave_one_source_out: leaveOneOut(input),
    crawler_first_seen_in_its_last_30_days: recallOnFresh(input, readFresh()),
  },
  disposable_false_positives: {
    labelled_good: realProviders.length,
    raw_union_of_the_four_lists: realProviders.filter((name) => rawUnion.has(name)).length,
    ours: realProviders.filter((name) => judge(name).disposable !== undefined).length,
    ours_without_curated_or_crawled_evidence: realProviders.filter((name) => {
      const { disposable } = judge(name);
      return disposable !== undefined && !isVerified(disposable.evidence);
    }).length,
    relays_in_raw_union: [...input.relays].filter((name) => rawUnion.has(name)).length,
    relays_called_disposable_by_us: [...input.relays].filter((name) => judge(name).disposable !== undefined)
      .length,
  },
  typo: {
    mailcheck_expectations: scoreTypos(mailcheck),
    generated_slips: scoreTypos(slips),
    slips_in_the_raw_lists: neighbours.length,
    of_these_called_disposable_by_us: neighbours.filter(
      ({ domain }) => judge(domain).disposable !== undefined,
    ).length,
    real_providers_called_a_typo: realProviders.filter((name) => suggest(name) !== undefined),
  },
};

process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
writeFileSync(join(packageDir, 'bench', 'results', 'eval.json'), `${JSON.stringify(result, null, 2)}\n`);

function scoreTypos(cases: readonly TypoCase[]) {
  const wrong = cases.filter(({ domain, meant }) => suggest(domain) !== meant);
  const suggested = cases.filter(({ domain }) => suggest(domain) !== undefined);
  const right = suggested.filter(({ domain, meant }) => suggest(domain) === meant);
  const expected = cases.filter(({ meant }) => meant !== undefined);
  return {
    cases: cases.length,
    precision: ratio(right.length, suggested.length),
    recall: ratio(right.length, expected.length),
    wrong: wrong.map(
      ({ domain, meant }) => `${domain}: expected ${meant ?? 'none'}, got ${suggest(domain) ?? 'none'}`,
    ),
  };
}

function readFresh(): string[] {
  const require = createRequire(import.meta.url);
  const data = require('fakefilter/json/data.json') as {
    t: number;
    domains: Record<string, { firstseen: number }>;
  };
  return Object.entries(data.domains)
    .filter(([, { firstseen }]) => data.t - firstseen < 30 * 86_400)
    .map(([domain]) => domain);
}

function ratio(part: number, whole: number): number {
  return Number((part / whole).toFixed(3));
}

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import { SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { createMailDirectory } from '@verdict/scoring/dns/mail-directory.js';
import { mailAt } from '@verdict/scoring/dns/mail-outcome.js';
import { composeVerdict } from '@verdict/scoring/score/compose-verdict.js';
import { judgeDomain } from '@verdict/scoring/score/judge-domain.js';
import { readDomain } from '@verdict/scoring/score/read-domain.js';
import { createScorer } from '@verdict/scoring/score/scorer.js';
import { createLineWriter } from '@verdict/scoring/score/write-line.js';
import type { DeepEmailValidator } from '../src/peers.js';
import { loadPackage } from '../src/read-package.js';
import { createCorpus } from './corpus.js';
import { measure, type Subject } from './measure.js';
import { measureService } from './measure-service.js';

const validator = loadPackage<{ isEmail(text: string): boolean }>('validator');
const mailchecker = loadPackage<{ isValid(text: string): boolean }>('mailchecker');
const deep = loadPackage<DeepEmailValidator>('deep-email-validator');

const DATASETS = '2026-01-01/2026-01-01/2026-01-01';
const corpus = createCorpus();
const datasets = await loadDatasets(SHIPPED_DIR);
const outcome = mailAt('mx.acme-widgets.com');
const directory = createMailDirectory({
  lookUp: async () => outcome,
  budget: { take: () => true },
  domainBudget: { take: () => true },
  deadlineMs: 1_000,
  concurrency: 10_000,
  entriesMax: 50_000,
  onOutcome: () => {},
});
const scorer = createScorer(datasets, directory);
const writeLine = createLineWriter(1, datasets.versions);
for (const email of corpus) await scorer.score(parse(email), 'acc_bench');

const names = new Set(datasets.disposable.names());
const domains = corpus.map((email) => email.slice(email.lastIndexOf('@') + 1));
let sink = 0;

const subjects: Subject[] = [
  {
    name: 'plain Set look-up of the domain (163,000 names)',
    run: each(domains, (domain) => names.has(domain)),
  },
  { name: 'ours: parse', run: each(corpus, (email) => parse(email).quoted) },
  { name: 'ours: warm verdict, parse to finished line', run: each(corpus, warm) },
  { name: 'ours: the same, nothing remembered of the domain', run: each(corpus, fromScratch) },
  {
    name: 'validator.isEmail',
    run: each(corpus, validator.isEmail),
  },
  {
    name: 'mailchecker.isValid',
    run: each(corpus, mailchecker.isValid),
  },
];
const figures = await measure(subjects, corpus.length);

// Its own scale: some hundred microseconds each, so a slice of the corpus is enough.
const slice = corpus.slice(0, 60);
const deepFigures = await measure(
  [
    {
      name: 'deep-email-validator (no SMTP, no MX)',
      async run() {
        for (const email of slice) {
          const { valid } = await deep.validate({ email, validateSMTP: false, validateMx: false });
          sink += valid ? 1 : 0;
        }
      },
    },
  ],
  slice.length,
);

const warmTime = figures.get('ours: warm verdict, parse to finished line') ?? Number.NaN;
const service = await measureService(corpus);
const result = {
  machine: `${cpus().length} x ${cpus()[0]?.model ?? process.arch}, node ${process.versions.node}`,
  addresses: corpus.length,
  microseconds_per_address: Object.fromEntries(
    [...figures, ...deepFigures].map(([name, time]) => [name, round(time)]),
  ),
  ratio_to_our_warm_verdict: Object.fromEntries(
    [...figures, ...deepFigures].map(([name, time]) => [name, round(time / warmTime)]),
  ),
  service: Object.fromEntries(Object.entries(service).map(([name, value]) => [name, round(value)])),
};

for (const [name, time] of [...figures, ...deepFigures]) {
  process.stdout.write(
    `${time.toFixed(2).padStart(10)} us  ${(time / warmTime).toFixed(2).padStart(8)} x  ${name}\n`,
  );
}
process.stdout.write(`\nservice: ${JSON.stringify(result.service)}\n`);
writeFileSync(inRoot('evaluation/results/scoring.json'), `${JSON.stringify(result, null, 2)}\n`);
if (sink === 0) throw new Error('nothing was measured');

/** Every answer is counted, so that no work can be optimised away. */
function each(texts: readonly string[], judge: (text: string) => boolean): () => void {
  return () => {
    for (const text of texts) if (judge(text)) sink++;
  };
}

function warm(email: string): boolean {
  const verdict = scorer.score(parse(email), 'acc_bench');
  return !(verdict instanceof Promise) && writeLine((add) => add(0, verdict)).length > 0;
}

function fromScratch(email: string): boolean {
  const address = parse(email);
  const facts = readDomain(address.domain, address.unicodeDomain, datasets);
  const domain = judgeDomain(facts, facts.mail === 'ask' ? outcome : undefined);
  return writeLine((add) => add(0, composeVerdict(address, domain, DATASETS))).length > 0;
}

function parse(email: string): EmailAddress {
  const parsed = parseEmail(email);
  if (!parsed.ok) throw new Error(`${email}: ${parsed.message}`);
  return parsed.address;
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

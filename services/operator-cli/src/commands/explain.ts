import type { Explanation } from '@verdict/contracts/scoring-api.js';
import { listingHistory } from '@verdict/db/revisions/listing-history.js';
import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import { coversDay, listingIntervals } from '@verdict/domain/listing-intervals.js';
import type { Command } from 'commander';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import type { Output } from '../output.js';
import { withScoring } from '../with-scoring.js';

export function addExplain(program: Command, { output }: Context): void {
  program
    .command('explain <email>')
    .description('explain the score of an address: points, lists, sources (SCORING_URLS)')
    .option('--datasets <release>', 'score with an older release, or with the newest of a day')
    .option(
      '--on <day>',
      'say instead which sources listed its domain on a day, such as 2026-03-12 (DATABASE_URL)',
    )
    .action(async (email: string, { datasets, on }: { datasets?: string; on?: string }) => {
      if (on !== undefined) return explainDay(output(), email, on);
      const request = datasets === undefined ? { email } : { email, datasets };
      const explanation = await withScoring((scoring) => scoring.explain(request));
      output().document(explanation, toText(explanation));
    });
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Which sources had the domain on a day: what the history says, and the listings of now that it does not know. */
async function explainDay(output: Output, email: string, on: string): Promise<void> {
  if (!DAY.test(on)) throw new Error('--on must be a day, such as 2026-03-12');
  const explanation = await withScoring((scoring) => scoring.explain({ email }));
  const labels = domainOfAddress(explanation.email).split('.');
  const names = labels.map((_, i) => labels.slice(i).join('.'));
  const changes = await withDatabase((db) => listingHistory(db, names));
  const listed = names.flatMap((entry) =>
    listingIntervals(
      changes.filter(({ domain }) => domain === entry),
      explanation.evidence.flatMap((each) =>
        each.list === 'disposable_domains' && each.entry === entry ? [each.source] : [],
      ),
    ).map((interval) => ({ entry, ...interval })),
  );
  const then = listed.filter((interval) => coversDay(interval, on));
  const lines = then.map(
    ({ entry, source, from, to }) =>
      `  ${entry}: ${source}, ${from === null ? 'before the history begins' : `from ${from}`}${to === null ? '' : ` to ${to}`}`,
  );
  const head = `${explanation.email} on ${on}: ${then.length === 0 ? 'no source listed its domain' : 'listed by'}`;
  output.document({ email: explanation.email, on, listed: then }, `${[head, ...lines].join('\n')}\n`);
}

function toText({
  email,
  decision,
  risk_score,
  release,
  datasets,
  extra,
  factors,
  evidence,
}: Explanation): string {
  const lines = [
    `${email}: ${decision}, ${risk_score} points`,
    `scored with ${release} (disposable ${datasets.disposable_domains.version}, free ${datasets.free_providers.version}, roles ${datasets.role_prefixes.version})`,
    ...factors.map(({ code, points, reason }) => `${String(points).padStart(5)}  ${code}: ${reason}`),
    ...(extra.suggestion === null ? [] : [`       suggestion: ${extra.suggestion}`]),
    ...evidence.map(({ list, entry, source, tier, since, or_earlier }) => {
      const who = tier === null ? source : `${source} (${tier})`;
      return `       ${entry} is in ${list}: ${who}, ${or_earlier ? 'listed before' : 'since'} ${since}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

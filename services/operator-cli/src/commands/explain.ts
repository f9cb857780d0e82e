import type { Explanation } from '@verdict/contracts/scoring-api.js';
import type { Command } from 'commander';
import type { Context } from '../context.js';
import { withScoring } from '../with-scoring.js';

export function addExplain(program: Command, { output }: Context): void {
  program
    .command('explain <email>')
    .description('explain the score of an address: points, lists, sources (SCORING_URLS)')
    .option('--datasets <release>', 'score with an older release, or with the newest of a day')
    .action(async (email: string, { datasets }: { datasets?: string }) => {
      const request = datasets === undefined ? { email } : { email, datasets };
      const explanation = await withScoring((scoring) => scoring.explain(request));
      output().document(explanation, toText(explanation));
    });
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

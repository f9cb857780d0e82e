import type { ListMatch } from '@verdict/contracts/step-note.js';
import type { ListedValue } from '@verdict/domain/account-list.js';
import { decisionForScore } from '@verdict/domain/decision.js';

const RANK = ['address', 'mailbox', 'domain', 'ip', 'network'] as const;
const LISTED_SCORE = { allow: 0, block: 100 } as const;

/** The most specific of the entries that name a check, and what it makes of the check, as in step/lists.lua. */
export function matchEntry(entries: readonly ListedValue[]): ListMatch | undefined {
  const [first] = entries
    .map(({ list, kind, match, value }) => ({ list, kind: match === 'mailbox' ? match : kind, value }))
    .sort((a, b) => RANK.indexOf(a.kind) - RANK.indexOf(b.kind) || lengthOf(b) - lengthOf(a));
  if (!first) return undefined;
  const risk_score = LISTED_SCORE[first.list];
  return { at: 0, ...first, risk_score, decision: decisionForScore(risk_score) };
}

/** A subdomain is longer than its parents; of networks the prefix counts. */
const lengthOf = ({ kind, value }: Pick<ListMatch, 'kind' | 'value'>): number =>
  kind === 'network' ? Number(value.split('/')[1]) : value.length;

/** An entry of an account's own lists, as far as it decides. */
export interface ListedValue {
  readonly list: 'allow' | 'block';
  readonly kind: 'address' | 'domain' | 'ip';
  readonly value: string;
}

interface Factor {
  readonly code: string;
  readonly points: number;
  readonly reason: string;
}

interface Judged<F extends Factor> {
  readonly risk_score: number;
  readonly factors: readonly F[];
}

const NOUN = { address: 'address', domain: 'domain', ip: 'IP address' } as const;

/**
 * The customer's word is last: an allow entry makes the score 0, a block entry 100. What was found is still said, with
 * no points, so that the signals and the reasons stay truthful and the points still add up.
 */
export function applyAccountList<F extends Factor>(
  judged: Judged<F>,
  match: ListedValue,
): { risk_score: number; factors: Factor[] } {
  const points = match.list === 'block' ? 100 : 0;
  const override: Factor = {
    code: match.list === 'block' ? 'ACCOUNT_BLOCK' : 'ACCOUNT_ALLOW',
    points,
    reason: `The ${NOUN[match.kind]} ${match.value} is on your ${match.list} list`,
  };
  const overridden = judged.factors.map(({ code, reason }) => ({
    code,
    points: 0,
    reason: `${reason} (overridden by your ${match.list} list)`,
  }));
  return { risk_score: points, factors: [override, ...overridden] };
}

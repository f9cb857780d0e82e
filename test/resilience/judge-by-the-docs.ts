/** A judge written from docs/policies.md and the bands of docs/scoring.md alone. It shares no code with the product. */

interface DocRule {
  readonly name: string;
  readonly when: DocClause;
  readonly then: Readonly<Record<string, unknown>>;
  readonly ends_at?: string;
}
type DocClause =
  | { readonly all: readonly DocClause[] }
  | { readonly any: readonly DocClause[] }
  | { readonly field: string; readonly op: string; readonly value: unknown };

/** A check as its answer tells it. */
export interface DocFacts {
  readonly score: number;
  readonly codes: readonly string[];
  readonly domain: string;
  readonly key: string | undefined;
  readonly signals: Readonly<Record<string, unknown>>;
  /** Null or left out where it is not counted. */
  readonly seen: Readonly<Record<string, number | null>>;
  /** As it was sent. */
  readonly address: string | null;
  /** Undefined where the network is not known; a check without an IP has the kind null. */
  readonly ip: {
    readonly kind?: string | null;
    readonly country?: string | null;
    readonly asn?: number | null;
  };
  /** Null where no mail servers were looked up. */
  readonly mx: { readonly operator: string; readonly hosts: readonly string[] } | null;
  readonly createdAt: string;
}

export interface DocListed {
  readonly list: 'allow' | 'block';
}

export interface DocOutcome {
  readonly decision: string;
  readonly risk_score: number;
  readonly rule: string | null;
  readonly watched: readonly string[];
}

const EDGES: readonly (readonly [string, number, number])[] = [
  ['allow', 0, 29],
  ['challenge', 30, 54],
  ['review', 55, 79],
  ['block', 80, 100],
];
const bandOf = (score: number): string =>
  EDGES.find(([, least, most]) => score >= least && score <= most)?.[0] ?? 'block';
const rankOf = (decision: unknown): number => EDGES.findIndex(([name]) => name === decision);

/** The outcome of a check: an entry of a list comes before every rule, and the first rule that matches decides. */
export function judgeByTheDocs(
  facts: DocFacts,
  rules: readonly DocRule[],
  listed: DocListed | null = null,
): DocOutcome {
  if (listed)
    return { decision: listed.list, risk_score: listed.list === 'block' ? 100 : 0, rule: null, watched: [] };
  const watched: string[] = [];
  for (const rule of rules) {
    if (rule.ends_at !== undefined && microsOf(facts.createdAt) >= microsOf(rule.ends_at)) continue;
    if (!holds(rule.when, facts)) continue;
    if (rule.then.watch === true) {
      watched.push(rule.name);
      continue;
    }
    const risk_score = moved(facts.score, rule.then);
    return { decision: bandOf(risk_score), risk_score, rule: rule.name, watched };
  }
  return { decision: bandOf(facts.score), risk_score: facts.score, rule: null, watched };
}

/** Microseconds since 1970, which a number holds exactly. */
function microsOf(time: string): number {
  const digits = /\.(\d+)/.exec(time)?.[1] ?? '';
  return Date.parse(time.replace(/\.\d+/, '')) * 1_000 + Number(digits.padEnd(6, '0').slice(0, 6));
}

function moved(score: number, then: DocRule['then']): number {
  const now = rankOf(bandOf(score));
  const wanted = rankOf(then.at_least ?? then.at_most ?? then.exactly);
  const [, least, most] = EDGES[wanted] as (typeof EDGES)[number];
  if (then.at_least !== undefined) return now >= wanted ? score : least;
  if (then.at_most !== undefined) return now <= wanted ? score : most;
  if (now === wanted) return score;
  return now < wanted ? least : most;
}

function holds(clause: DocClause, facts: DocFacts): boolean {
  if ('all' in clause) return clause.all.every((one) => holds(one, facts));
  if ('any' in clause) return clause.any.some((one) => holds(one, facts));
  const known = factOf(clause.field, facts);
  if (known === undefined) return false;
  const { op, value } = clause;
  if (op === 'eq') return known === value;
  if (op === 'ne') return known !== value;
  if (op === 'gte') return (known as number) >= (value as number);
  if (op === 'lte') return (known as number) <= (value as number);
  if (op === 'in') return (value as unknown[]).includes(known);
  if (op === 'has') return (known as string[]).includes(value as string);
  return [known].flat().some((one) => one === value || String(one).endsWith(`.${value}`));
}

function factOf(
  field: string,
  { score, codes, domain, key, signals, seen, mx, address, ip }: DocFacts,
): unknown {
  if (field === 'score') return score;
  if (field === 'decision') return bandOf(score);
  if (field === 'codes') return codes;
  if (field === 'domain') return domain;
  if (field === 'domain.shape') return shapeOf(domain);
  if (field === 'ip.network') return address === null ? undefined : networkOf(address);
  if (field === 'ending') return domain.split('.').at(-1);
  if (field === 'key') return key;
  const [group, name = ''] = field.split('.');
  if (group === 'signals') return signals[name] === true;
  if (group === 'seen') return seen[name] ?? undefined;
  if (field === 'mail.host') return mx?.hosts;
  if (field === 'mail.operator') return mx?.operator;
  if (name === 'kind') return ip.kind;
  if (name === 'country') return ip.country ?? undefined;
  return ip.asn ? `AS${ip.asn}` : undefined;
}

function networkOf(address: string): string {
  const host = address.replace('::ffff:', '');
  return host.includes('.') ? host.replace(/\d+$/, '0/24') : `${host.split(':').slice(0, 3).join(':')}::/48`;
}

/** The example of each run of letters and digits, with everything between them and the ending as they are. */
function shapeOf(domain: string): string {
  const labels = domain.split('.');
  const ending = labels.pop();
  const examples = labels.map((label) => label.replace(/[a-z\d]+/g, exampleOf));
  return [...examples, ending].join('.');
}

function exampleOf(run: string): string {
  if (/^[a-z]+$/.test(run)) return 'abc';
  if (/^\d+$/.test(run)) return '123';
  if (/^[a-z]+\d+$/.test(run)) return 'abc123';
  return /^\d+[a-z]+$/.test(run) ? '123abc' : 'a1b2';
}

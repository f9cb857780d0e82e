import { domainShape } from '../address/domain-shape.js';
import { networkAround } from '../address/network-around.js';
import { burstRules } from '../burst-rules.js';
import { instantMicros } from '../instant-micros.js';
import { mailOf } from '../mail-servers.js';
import type { Clause, Condition, Rule, Then } from './policy.js';
import type { PolicyNetwork } from './policy-network.js';

/** Facts of a check that rules may ask about: found by scoring and repetitions, before lists. */
export interface PolicyFacts {
  readonly score: number;
  readonly decision: string;
  readonly factors: readonly { readonly code: string }[];
  /** In A-labels. */
  readonly domain: string;
  /** Flags of the contract and expanded ones; one that is missing is false. */
  readonly signals: Readonly<Record<string, unknown>>;
  readonly extra: Readonly<Record<string, unknown>>;
  /** In the order of burstRules; null where it is not counted. */
  readonly seen: readonly (number | null)[];
  readonly network: PolicyNetwork;
  /** Undefined where no key asks. */
  readonly key: string | undefined;
  /** created_at of the check in microseconds: rules end by this clock only. */
  readonly atMicros: number;
}

/** The field of the network around the IP, which nothing has to look up. */
export const IP_FIELD = 'ip.network';

type Value = string | number | boolean | null | undefined | readonly string[];
type Test = (values: readonly Value[]) => boolean;

export interface CompiledRule {
  readonly name: string;
  readonly then: Then;
  readonly matches: Test;
  /** Infinite for a rule without an end. */
  readonly endsMicros: number;
}

/** The rules of one version as functions. */
export interface CompiledPolicy {
  /** The rules as they were read; an earlier engine makes its own functions of them. */
  readonly source: readonly Rule[];
  readonly rules: readonly CompiledRule[];
  /** Reads each field that the rules ask about, once for each check. */
  readonly read: (facts: PolicyFacts) => readonly Value[];
  /** Each field that the rules ask about, once. */
  readonly fields: readonly string[];
  /** Some rule asks about the network of the IP, as far as scoring looks it up. */
  readonly readsNetwork: boolean;
  /** Some rule asks about the IP itself. */
  readonly readsIp: boolean;
  /** Some rule asks about the mail servers. */
  readonly readsMail: boolean;
}

/** Makes functions of rules that readPolicy has read, once for each version. */
export function compilePolicy(rules: readonly Rule[]): CompiledPolicy {
  const fields: string[] = [];
  const placeOf = (field: string): number => {
    const at = fields.indexOf(field);
    return at === -1 ? fields.push(field) - 1 : at;
  };
  const compiled = rules.map(({ name, when, then, ends_at }) => ({
    name,
    then,
    matches: compileClause(when, placeOf),
    endsMicros: ends_at === undefined ? Number.POSITIVE_INFINITY : endOf(ends_at),
  }));
  const readers = fields.map(readerOf);
  return {
    source: rules,
    rules: compiled,
    read: (facts) => readers.map((reader) => reader(facts)),
    fields,
    readsNetwork: fields.some((field) => field.startsWith('ip.') && field !== IP_FIELD),
    readsIp: fields.includes(IP_FIELD),
    readsMail: fields.some((field) => field.startsWith('mail.')),
  };
}

function endOf(text: string): number {
  const micros = instantMicros(text);
  if (micros === null) throw new Error(`a policy has an end that is not an instant: ${text}`);
  return micros;
}

type PlaceOf = (field: string) => number;

function compileClause(clause: Clause, placeOf: PlaceOf): Test {
  if ('field' in clause) return compileCondition(clause, placeOf(clause.field));
  const isAll = 'all' in clause;
  const tests = (isAll ? clause.all : clause.any).map((one) => compileClause(one, placeOf));
  const { length } = tests;
  return (values) => {
    for (let i = 0; i < length; i++) if ((tests[i] as Test)(values) !== isAll) return !isAll;
    return isAll;
  };
}

/** A value that is not known is undefined and matches nothing. */
function compileCondition({ op, value }: Condition, at: number): Test {
  switch (op) {
    case 'eq':
      return (values) => values[at] === value;
    case 'ne':
      return (values) => values[at] !== value && values[at] !== undefined;
    case 'gte':
      return (values) => (values[at] as number) >= (value as number);
    case 'lte':
      return (values) => (values[at] as number) <= (value as number);
    case 'in': {
      const wanted = new Set<Value>(value as readonly string[]);
      return (values) => wanted.has(values[at]);
    }
    case 'has':
      return (values) => (values[at] as readonly string[] | undefined)?.includes(value as string) === true;
    case 'under': {
      const below = `.${value}`;
      const isUnder = (name: string) => name === value || name.endsWith(below);
      return (values) => {
        const known = values[at];
        return typeof known === 'string'
          ? isUnder(known)
          : ((known as readonly string[] | undefined)?.some(isUnder) ?? false);
      };
    }
    default:
      throw new Error(`a policy has an operator that is not known: ${op}`);
  }
}

function readerOf(field: string): (facts: PolicyFacts) => Value {
  const [group = '', name = ''] = field.split('.');
  switch (group) {
    case 'score':
      return (facts) => facts.score;
    case 'decision':
      return (facts) => facts.decision;
    case 'codes':
      return ({ factors }) => factors.map(({ code }) => code);
    case 'domain':
      return name === 'shape' ? (facts) => domainShape(facts.domain) : (facts) => facts.domain;
    case 'ending':
      return ({ domain }) => domain.slice(domain.lastIndexOf('.') + 1);
    case 'signals':
      return ({ signals, extra }) => (signals[name] ?? extra[name]) === true;
    case 'seen': {
      const at = burstRules.findIndex((rule) => rule.name === name);
      return ({ seen }) => seen[at] ?? undefined;
    }
    case 'mail':
      return ({ extra }) => {
        const servers = mailOf(extra.mail as string | undefined);
        return name === 'operator' ? servers?.operator : servers?.hosts;
      };
    case 'ip':
      if (field === IP_FIELD) return ({ network: { ip } }) => (ip && networkAround(ip)) || undefined;
      return ({ network }) => network[name as keyof PolicyNetwork];
    case 'key':
      return (facts) => facts.key;
    default:
      throw new Error(`a policy asks about a field that is not known: ${field}`);
  }
}

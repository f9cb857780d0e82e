import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import type { Clause, Condition, Rule, Then } from '../../api/policies.ts';
import { countryName } from '../../ui/format/country-name.ts';
import { endWords } from './end-time.ts';

/** The name of an API key by its id. */
export type KeyName = (id: string) => string;

/** A rule as people say it: "If the score is 30 or more: at least challenge, until 20 Nov 2026, 14:00 UTC". */
export function ruleSentence({ when, then, ends_at }: Rule, keyName: KeyName, now: number): string {
  const end = ends_at ? `, ${endWords(ends_at, now)}` : '';
  return `If ${clauseWords(when, keyName, true)}: ${thenWords(then)}${end}`;
}

function thenWords(then: Then): string {
  if ('watch' in then) return 'only watch';
  if ('at_least' in then) return `at least ${then.at_least}`;
  return 'at_most' in then ? `at most ${then.at_most}` : `exactly ${then.exactly}`;
}

function clauseWords(clause: Clause, keyName: KeyName, outermost = false): string {
  if ('field' in clause) return conditionWords(clause, keyName);
  const [clauses, word] =
    'all' in clause ? ([clause.all, ' and '] as const) : ([clause.any, ' or '] as const);
  const words = clauses.map((one) => clauseWords(one, keyName)).join(word);
  return outermost || clauses.length < 2 ? words : `(${words})`;
}

function conditionWords({ field, op, value }: Condition, keyName: KeyName): string {
  const { type, label = field, form, range } = POLICY_LANGUAGE.fields[field] ?? {};
  const name = (one: unknown) =>
    one === '' || one === null
      ? '…'
      : form === 'key'
        ? keyName(String(one))
        : form === 'country'
          ? countryName(String(one))
          : String(one);
  if (type === 'flag') return `“${label}” is ${(op === 'ne') === (value === true) ? 'false' : 'true'}`;
  if (type === 'codes') return `the ${inSentence(label)} include ${name(value)}`;
  if (type === 'hosts')
    return `one ${inSentence(label)} is ${name(value)}${op === 'under' ? ' or below it' : ''}`;
  // The figures of repetitions begin with 1: they count something that their label names.
  if (type === 'number' && range?.[0] === 1)
    return `there were ${countWords(op, name(value))} ${inSentence(label)}`;
  return `the ${inSentence(label)} ${comparisonWords(op, value, name)}`;
}

const countWords = (op: string, count: string): string =>
  op === 'gte'
    ? `${count} or more`
    : op === 'lte'
      ? `at most ${count}`
      : op === 'ne'
        ? `not ${count}`
        : `exactly ${count}`;

function comparisonWords(op: string, value: unknown, name: (one: unknown) => string): string {
  if (value === null && (op === 'eq' || op === 'ne')) return op === 'eq' ? 'is not known' : 'is known';
  if (op === 'in') return `is ${orWords(Array.isArray(value) ? value.map(name) : [])}`;
  if (op === 'under') return `is ${name(value)} or below it`;
  if (op === 'ne') return `is not ${name(value)}`;
  return `is ${name(value)}${op === 'gte' ? ' or more' : op === 'lte' ? ' or less' : ''}`;
}

const orWords = (names: readonly string[]): string =>
  names.length === 0
    ? '…'
    : names.length < 2
      ? names.join('')
      : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** "Score" is "score" inside a sentence; "API key" keeps its capitals. */
const inSentence = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

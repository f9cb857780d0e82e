import { formatCreatedAt } from '../created-at.js';
import { DECISIONS } from '../decision.js';
import { instantMicros } from '../instant-micros.js';
import type { Clause, Language, Rule, Then, When } from './policy.js';
import { PolicyFault } from './policy-fault.js';
import { readCondition } from './read-condition.js';
import { readObject } from './read-object.js';

export interface ReadPolicy {
  readonly rules: readonly Rule[];
  readonly note: string | null;
}

/** Control characters, halves of pairs, line ends and marks that turn the direction of what follows. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const OUTCOMES = ['at_least', 'at_most', 'exactly', 'watch'] as const;

/** Reads what somebody sent as a policy, whatever it is. Throws a PolicyFault that names the rule and the field. */
export function readPolicy(value: unknown, language: Language): ReadPolicy {
  const { limits } = language;
  const given = readObject(value, 'policy', ['rules', 'note']);
  if (!Array.isArray(given.rules)) throw new PolicyFault('rules', 'must be a list of rules');
  if (given.rules.length > limits.rules)
    throw new PolicyFault('rules', `has more than ${limits.rules} rules`);
  const read = createReader(language);
  const rules = given.rules.map((rule, i) => read(rule, `rules[${i}]`));
  const names = new Set<string>();
  for (const [i, { name }] of rules.entries()) {
    if (names.has(name)) throw new PolicyFault(`rules[${i}].name`, 'is the name of an earlier rule');
    names.add(name);
  }
  const note = given.note ?? null;
  if (note !== null) readLine(note, 'note', 0, limits.noteChars);
  if (new TextEncoder().encode(JSON.stringify(rules)).length > limits.bytes)
    throw new PolicyFault('rules', `has more than ${limits.bytes} bytes as JSON`);
  return { rules, note: note as string | null };
}

function createReader(language: Language) {
  const { limits } = language;
  let conditions = 0;

  function readClause(value: unknown, at: string, depth: number): Clause {
    const isGroup = typeof value === 'object' && value !== null && ('all' in value || 'any' in value);
    if (isGroup) return readWhen(value, at, depth);
    conditions += 1;
    if (conditions > limits.conditions)
      throw new PolicyFault(at, `is one more than ${limits.conditions} conditions in all`);
    return readCondition(value, at, language);
  }

  function readWhen(value: unknown, at: string, depth: number): When {
    if (depth > limits.depth) throw new PolicyFault(at, `is nested more than ${limits.depth} deep`);
    const given = readObject(value, at, ['all', 'any']);
    const [kind, other] = Object.keys(given);
    if ((kind !== 'all' && kind !== 'any') || other !== undefined)
      throw new PolicyFault(at, 'must hold either all or any');
    const list = given[kind];
    if (!Array.isArray(list) || list.length === 0 || list.length > limits.conditions)
      throw new PolicyFault(`${at}.${kind}`, `must be a list of 1 to ${limits.conditions} conditions`);
    const clauses = list.map((clause, i) => readClause(clause, `${at}.${kind}[${i}]`, depth + 1));
    return kind === 'all' ? { all: clauses } : { any: clauses };
  }

  return (value: unknown, at: string): Rule => {
    const given = readObject(value, at, ['name', 'when', 'then', 'ends_at']);
    const name = readLine(given.name, `${at}.name`, 1, limits.nameChars);
    const when = readWhen(given.when, `${at}.when`, 1);
    const then = readThen(given.then, `${at}.then`);
    if (given.ends_at === undefined || given.ends_at === null) return { name, when, then };
    return { name, when, then, ends_at: readEnd(given.ends_at, `${at}.ends_at`) };
  };
}

function readThen(value: unknown, at: string): Then {
  const given = readObject(value, at, OUTCOMES);
  const [kind, other] = Object.keys(given);
  if (kind === undefined || other !== undefined)
    throw new PolicyFault(at, `must hold exactly one of ${OUTCOMES.join(', ')}`);
  const asked = given[kind];
  if (kind === 'watch') {
    if (asked !== true) throw new PolicyFault(`${at}.watch`, 'must be true');
    return { watch: true };
  }
  const decision = DECISIONS.find((one) => one === asked);
  if (!decision) throw new PolicyFault(`${at}.${kind}`, `must be one of ${DECISIONS.join(', ')}`);
  if (kind === 'at_least') return { at_least: decision };
  return kind === 'at_most' ? { at_most: decision } : { exactly: decision };
}

/** An end in UTC, in the one spelling that is stored. An end in the past is good: the rule never matches. */
function readEnd(value: unknown, at: string): string {
  const micros = typeof value === 'string' ? instantMicros(value) : null;
  if (micros === null)
    throw new PolicyFault(at, 'must be a time with its offset, such as 2026-11-20T14:00:00Z');
  return formatCreatedAt(micros).replace(/(\.0{6})?\+00:00$/, 'Z');
}

function readLine(value: unknown, at: string, least: number, most: number): string {
  if (typeof value !== 'string') throw new PolicyFault(at, 'must be a text');
  const { length } = [...value.slice(0, 2 * most + 1)];
  if (length < least || length > most || (least > 0 && value.trim() === ''))
    throw new PolicyFault(at, `must have ${least} to ${most} characters`);
  if (HIDDEN.test(value)) throw new PolicyFault(at, 'holds a character that cannot be shown');
  return value;
}

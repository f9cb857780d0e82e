import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import type { Clause, Condition, Rule, When } from '../../api/policies.ts';

export type Kind = 'all' | 'any';

export const kindOf = (when: When): Kind => ('all' in when ? 'all' : 'any');
export const clausesOf = (when: When): readonly Clause[] => ('all' in when ? when.all : when.any);
export const group = (kind: Kind, clauses: Clause[]): When =>
  kind === 'all' ? { all: clauses } : { any: clauses };

/** The operators that a field knows; of a field that the language lacks, the one that it came with. */
export const operatorsOf = ({ field, op }: Pick<Condition, 'field' | 'op'>): readonly string[] => {
  const known = POLICY_LANGUAGE.fields[field];
  return known ? POLICY_LANGUAGE.operators[known.type] : [op];
};

/** A condition on another field, with its first operator and a value to begin with. */
export function onField(field: string): Condition {
  const [op = 'eq'] = operatorsOf({ field, op: 'eq' });
  const { type, values, range, form } = POLICY_LANGUAGE.fields[field] ?? {};
  if (form === 'country') return { field, op, value: '' };
  if (type === 'number') return { field, op, value: range?.[0] ?? 0 };
  return { field, op, value: type === 'flag' ? true : (values?.[0] ?? '') };
}

/** The same condition with another operator. `in` takes a list, and every other one a single value. */
export function withOperator(condition: Condition, op: string): Condition {
  const { field, value } = condition;
  if (op === 'in') return { field, op, value: Array.isArray(value) ? value : value ? [String(value)] : [] };
  return { field, op, value: Array.isArray(value) ? (value[0] ?? onField(field).value) : value };
}

export const NEW_CONDITION: Condition = { field: 'score', op: 'gte', value: 30 };

/** A rule to begin with, under the first number that no other rule has in its name. */
export function newRule(rules: readonly Rule[]): Rule {
  const taken = new Set(rules.map(({ name }) => name));
  let number = rules.length + 1;
  while (taken.has(`Rule ${number}`)) number += 1;
  return {
    name: `Rule ${number}`,
    when: { all: [NEW_CONDITION] },
    then: { at_least: 'challenge' },
  };
}

import type { Rule } from '@verdict/domain/policy/policy.js';

/** The names of rules that one version adds, drops or changes against another. */
export function diffRules(before: readonly Rule[], after: readonly Rule[]) {
  const textOf = ({ when, then, ends_at }: Rule): string => JSON.stringify([when, then, ends_at]);
  const old = new Map(before.map((rule) => [rule.name, textOf(rule)]));
  const names = new Set(after.map(({ name }) => name));
  return {
    added: after.flatMap(({ name }) => (old.has(name) ? [] : [name])),
    removed: before.flatMap(({ name }) => (names.has(name) ? [] : [name])),
    changed: after.flatMap((rule) =>
      old.has(rule.name) && old.get(rule.name) !== textOf(rule) ? [rule.name] : [],
    ),
  };
}

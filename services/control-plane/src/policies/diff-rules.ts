import type { Rule } from '@verdict/domain/policy/policy.js';

/** Names that an entry of the audit log keeps; it is kept for ever, and a policy has fifty rules. */
const NAMES_MAX = 5;

/** The rules that one version adds, drops or changes against another: how many, and the names of the first five. */
export function diffRules(before: readonly Rule[], after: readonly Rule[]) {
  const textOf = ({ when, then, ends_at }: Rule): string => JSON.stringify([when, then, ends_at]);
  const old = new Map(before.map((rule) => [rule.name, textOf(rule)]));
  const names = new Set(after.map(({ name }) => name));
  const added = after.flatMap(({ name }) => (old.has(name) ? [] : [name]));
  const removed = before.flatMap(({ name }) => (names.has(name) ? [] : [name]));
  const changed = after.flatMap((rule) =>
    old.has(rule.name) && old.get(rule.name) !== textOf(rule) ? [rule.name] : [],
  );
  return {
    added: added.slice(0, NAMES_MAX),
    removed: removed.slice(0, NAMES_MAX),
    changed: changed.slice(0, NAMES_MAX),
    ...(added.length > NAMES_MAX && { added_count: added.length }),
    ...(removed.length > NAMES_MAX && { removed_count: removed.length }),
    ...(changed.length > NAMES_MAX && { changed_count: changed.length }),
  };
}

import type { Rule } from '../../api/policies.ts';

export interface RuleChange {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  /** As it will be; of a removed rule, as it was. */
  readonly rule: Rule;
}

/** How the rules of one version become those of another, rule by name. */
export function ruleChanges(before: readonly Rule[], after: readonly Rule[]): readonly RuleChange[] {
  const old = new Map(before.map((rule) => [rule.name, rule]));
  const names = new Set(after.map(({ name }) => name));
  // Rules that both have, in the order of each: one that is not at the same place here was moved.
  const stayedBefore = before.filter(({ name }) => names.has(name)).map(({ name }) => name);
  const stayedAfter = after.filter(({ name }) => old.has(name)).map(({ name }) => name);
  return [
    ...after.flatMap((rule): RuleChange[] => {
      const known = old.get(rule.name);
      if (!known) return [{ kind: 'added', rule }];
      if (!isSame(known, rule)) return [{ kind: 'changed', rule }];
      return stayedBefore.indexOf(rule.name) === stayedAfter.indexOf(rule.name)
        ? []
        : [{ kind: 'moved', rule }];
    }),
    ...before.filter(({ name }) => !names.has(name)).map((rule): RuleChange => ({ kind: 'removed', rule })),
  ];
}

export const isSame = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);

/** JSON with the members of each object in one order, which Postgres does not keep. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

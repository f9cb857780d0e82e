import type { Rule } from '../../api/policies.ts';
import { type Preset, rulesOfPreset } from './presets.ts';

/** A rule while it is edited. The key stays when its name or place changes, so that the focus stays too. */
export interface DraftRule {
  readonly key: number;
  readonly rule: Rule;
}

let lastKey = 0;

const keyed = (rule: Rule): DraftRule => {
  lastKey += 1;
  return { key: lastKey, rule };
};

export const draftOf = (rules: readonly Rule[]): readonly DraftRule[] => rules.map(keyed);

export const rulesOf = (draft: readonly DraftRule[]): readonly Rule[] => draft.map(({ rule }) => rule);

export const added = (draft: readonly DraftRule[], rules: readonly Rule[]): readonly DraftRule[] => [
  ...draft,
  ...draftOf(rules),
];

export const replaced = (draft: readonly DraftRule[], key: number, rule: Rule): readonly DraftRule[] =>
  draft.map((one) => (one.key === key ? { key, rule } : one));

/** The rule at `from` goes to `to`; a place outside the list changes nothing. */
export function moved<One>(list: readonly One[], from: number, to: number): readonly One[] {
  const one = list[from];
  if (one === undefined || to < 0 || to >= list.length || from === to) return list;
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, one);
}

/** Takes rules that were edited as text. A rule at the same place keeps its key. */
export const retold = (draft: readonly DraftRule[], rules: readonly Rule[]): readonly DraftRule[] =>
  rules.map((rule, index) => {
    const known = draft[index];
    return known ? { key: known.key, rule } : keyed(rule);
  });

/**
 * Adds the rules of a preset. Rules for some hours come first, so that no rule that allows is asked before them; added
 * again, they end later.
 */
export function withPreset(draft: readonly DraftRule[], preset: Preset, now: number): readonly DraftRule[] {
  const fresh = rulesOfPreset(preset, now);
  const named = (rules: readonly Rule[]) => new Set(rules.map(({ name }) => name));
  if (preset.hours) {
    const names = named(fresh);
    return [...draftOf(fresh), ...draft.filter(({ rule }) => !names.has(rule.name))];
  }
  const taken = named(rulesOf(draft));
  return added(
    draft,
    fresh.filter(({ name }) => !taken.has(name)),
  );
}

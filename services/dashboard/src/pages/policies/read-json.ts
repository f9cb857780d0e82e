import type { Rule } from '../../api/policies.ts';

type Read =
  | { readonly ok: true; readonly rules: readonly Rule[] }
  | { readonly ok: false; readonly error: string };

export const toJson = (rules: readonly Rule[]): string => JSON.stringify(rules, null, 2);

/**
 * Reads rules that somebody types as JSON, as far as the page must know their shape to show them. The server judges
 * fields, operators and values.
 */
export function readJson(text: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, error: `This is not JSON yet: ${(error as Error).message}` };
  }
  // A whole policy, as the command line writes it, may be pasted too.
  const rules = isObject(value) && 'rules' in value ? value.rules : value;
  if (!Array.isArray(rules)) return { ok: false, error: 'Enter a list of rules in [ ].' };
  for (const [index, rule] of rules.entries()) {
    const error = ruleError(rule);
    if (error) return { ok: false, error: `rules[${index}]${error}` };
  }
  return { ok: true, rules: rules as Rule[] };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function ruleError(rule: unknown): string | null {
  if (!isObject(rule)) return ' must be an object';
  if (typeof rule.name !== 'string') return '.name must be a text';
  if (!isObject(rule.when) || 'field' in rule.when) return '.when must hold either all or any';
  const { then } = rule;
  if (!isObject(then) || !['at_least', 'at_most', 'exactly', 'watch'].some((kind) => kind in then))
    return '.then must hold one of at_least, at_most, exactly, watch';
  const end = rule.ends_at ?? '';
  if (typeof end !== 'string') return '.ends_at must be a text';
  const error = clauseError(rule.when);
  return error && `.when${error}`;
}

function clauseError(clause: unknown): string | null {
  if (!isObject(clause)) return ' must be an object';
  if ('field' in clause) {
    const { field, op } = clause;
    return typeof field === 'string' && typeof op === 'string' ? null : ' needs field and op as texts';
  }
  const kind = 'all' in clause ? 'all' : 'any';
  const list = clause[kind];
  if (!Array.isArray(list)) return ' must hold either all or any, with a list';
  for (const [index, one] of list.entries()) {
    const error = clauseError(one);
    if (error) return `.${kind}[${index}]${error}`;
  }
  return null;
}

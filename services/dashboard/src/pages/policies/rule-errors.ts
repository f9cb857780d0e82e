import { ApiError } from '../../api/api-error.ts';
import { fieldSentence } from '../../ui/error/field-error.ts';
import { RULES_TEXTS as TEXTS } from './texts.ts';

export interface RuleError {
  /** The position of the rule. */
  readonly rule: number;
  /** Where in the rule, such as `when.all[0].op`; empty for the rule as a whole. */
  readonly at: string;
  readonly message: string;
}

const PLACE = /^(?:body[./])?rules\[(\d+)\]\.?(.*)$/;

/** The errors of an answer that name a rule, with their place. */
export function ruleErrors(error: unknown): readonly RuleError[] {
  if (!(error instanceof ApiError)) return [];
  return error.fields.flatMap(({ field, message }) => {
    const [, rule, at = ''] = PLACE.exec(field) ?? [];
    return rule === undefined
      ? []
      : [{ rule: Number(rule), at, message: fieldSentence(labelOf(at), message) }];
  });
}

const LABELS: Readonly<Record<string, string>> = {
  name: TEXTS.name,
  field: TEXTS.field,
  op: TEXTS.comparison,
  value: TEXTS.value,
  ends_at: 'The end',
};

/** The label of the input at a place, with its number in a list: "Value 2". Other places keep their own name. */
function labelOf(at: string): string {
  const [, name = '', position] = /(\w+)(?:\[(\d+)\])?$/.exec(at) ?? [];
  const label = LABELS[name];
  if (label === undefined) return at || 'This rule';
  return position === undefined ? label : `${label} ${Number(position) + 1}`;
}

/** The errors below a place, with their places from there on. */
export const errorsBelow = (errors: readonly RuleError[], place: string): readonly RuleError[] =>
  errors.flatMap((error) => {
    if (error.at === place) return [{ ...error, at: '' }];
    const rest = error.at.startsWith(place) ? error.at.slice(place.length) : '';
    return rest.startsWith('.') || rest.startsWith('[') ? [{ ...error, at: rest.replace(/^\./, '') }] : [];
  });

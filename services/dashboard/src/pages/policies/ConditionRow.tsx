import { NativeSelect } from '@mantine/core';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import type { Condition } from '../../api/policies.ts';
import { IconTrash } from '../../icons.tsx';
import { IconButton } from '../../ui/table/IconButton.tsx';
import { ConditionValue, type NamedKey } from './ConditionValue.tsx';
import { onField, operatorsOf, withOperator } from './edit-clause.ts';
import classes from './RuleEditor.module.css';
import { errorsBelow, type RuleError } from './rule-errors.ts';
import { RULES_TEXTS as TEXTS } from './texts.ts';

const fieldGroups = TEXTS.fieldGroups;
const groupOf = (name: string): keyof typeof fieldGroups =>
  name.startsWith('signals.')
    ? 'signals'
    : name.startsWith('seen.')
      ? 'seen'
      : name === 'key' || name.startsWith('ip.') || name.startsWith('mail.')
        ? 'other'
        : 'check';

/** The fields of the language under the heading that they belong to. */
const FIELDS = (Object.keys(fieldGroups) as (keyof typeof fieldGroups)[]).map((group) => ({
  group: fieldGroups[group],
  items: Object.entries(POLICY_LANGUAGE.fields)
    .filter(([name]) => groupOf(name) === group)
    .map(([name, { label }]) => ({ value: name, label })),
}));

/** One comparison: field, operator, value. Another field brings its own operators and input. */
export function ConditionRow({
  condition,
  place,
  keys,
  errors,
  onChange,
  onRemove,
}: {
  condition: Condition;
  place: number;
  keys: readonly NamedKey[];
  errors: readonly RuleError[];
  onChange: (condition: Condition) => void;
  /** Absent for the only condition of its group. */
  onRemove: (() => void) | null;
}) {
  const { field, op } = condition;
  const errorAt = (part: string) => errorsBelow(errors, part)[0]?.message ?? null;
  const whole = errors.find(({ at }) => at === '');
  return (
    <fieldset className={classes.condition}>
      <legend className="v-offscreen">{`Condition ${place}`}</legend>
      <NativeSelect
        aria-label={TEXTS.field}
        error={errorAt('field')}
        value={field}
        onChange={(event) => onChange(onField(event.currentTarget.value))}
        data={POLICY_LANGUAGE.fields[field] ? FIELDS : [...FIELDS, { value: field, label: field }]}
      />
      <NativeSelect
        aria-label={TEXTS.comparison}
        error={errorAt('op')}
        value={op}
        onChange={(event) => onChange(withOperator(condition, event.currentTarget.value))}
        data={operatorsOf(condition).map((one) => ({ value: one, label: TEXTS.comparisons[one] ?? one }))}
      />
      <div className={classes.value}>
        <ConditionValue
          key={field}
          condition={condition}
          keys={keys}
          error={errorAt('value')}
          onChange={(value) => onChange({ ...condition, value })}
        />
      </div>
      {onRemove && (
        <IconButton label={`Remove condition ${place}`} onClick={onRemove}>
          <IconTrash size={15} />
        </IconButton>
      )}
      {whole && <p className={classes.error}>{whole.message}</p>}
    </fieldset>
  );
}

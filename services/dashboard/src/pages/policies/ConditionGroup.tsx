import { Button, NativeSelect } from '@mantine/core';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import type { Clause, When } from '../../api/policies.ts';
import { ConditionRow } from './ConditionRow.tsx';
import type { NamedKey } from './ConditionValue.tsx';
import { clausesOf, group, type Kind, kindOf, NEW_CONDITION } from './edit-clause.ts';
import classes from './RuleEditor.module.css';
import { errorsBelow, type RuleError } from './rule-errors.ts';
import { RULES_TEXTS as TEXTS } from './texts.ts';

/** Conditions of which all or any must match; a group may hold groups, as deep as the language allows. */
export function ConditionGroup({
  when,
  depth,
  legend,
  keys,
  errors,
  onChange,
  onRemove,
}: {
  when: When;
  depth: number;
  legend: string;
  keys: readonly NamedKey[];
  /** With places below this group. */
  errors: readonly RuleError[];
  onChange: (when: When) => void;
  /** Absent for the outermost group and for the only clause of its group. */
  onRemove?: (() => void) | null;
}) {
  const kind = kindOf(when);
  const clauses = clausesOf(when);
  const put = (index: number, ...clause: Clause[]) =>
    onChange(group(kind, clauses.toSpliced(index, 1, ...clause)));
  const add = (clause: Clause) => onChange(group(kind, [...clauses, clause]));
  const own = errors.find(({ at }) => at === '' || at === kind);
  return (
    <fieldset className={classes.group} data-depth={depth}>
      <legend className={depth === 1 ? classes.legend : 'v-offscreen'}>{legend}</legend>
      <NativeSelect
        className={classes.kind}
        aria-label="Match"
        value={kind}
        onChange={(event) => onChange(group(event.currentTarget.value as Kind, [...clauses]))}
        data={TEXTS.kinds}
      />
      {clauses.map((clause, index) => {
        const common = {
          keys,
          errors: errorsBelow(errors, `${kind}[${index}]`),
          onRemove: clauses.length > 1 ? () => put(index) : null,
        };
        return 'field' in clause ? (
          <ConditionRow
            key={index}
            condition={clause}
            place={index + 1}
            onChange={(changed) => put(index, changed)}
            {...common}
          />
        ) : (
          <ConditionGroup
            key={index}
            when={clause}
            depth={depth + 1}
            legend={`Group ${index + 1}`}
            onChange={(changed) => put(index, changed)}
            {...common}
          />
        );
      })}
      {own && <p className={classes.error}>{own.message}</p>}
      <div className={classes.adding}>
        <Button variant="default" size="compact-xs" onClick={() => add(NEW_CONDITION)}>
          Add condition
        </Button>
        {depth < POLICY_LANGUAGE.limits.depth && (
          <Button variant="default" size="compact-xs" onClick={() => add(group('any', [NEW_CONDITION]))}>
            Add group
          </Button>
        )}
        {onRemove && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={onRemove}>
            Remove group
          </Button>
        )}
      </div>
    </fieldset>
  );
}

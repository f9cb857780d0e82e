import { Button, NativeSelect, TextInput } from '@mantine/core';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import type { Decision } from '@verdict/domain/decision.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import type { Rule, Then } from '../../api/policies.ts';
import { ConditionGroup } from './ConditionGroup.tsx';
import type { NamedKey } from './ConditionValue.tsx';
import { endOf, minuteOf } from './end-time.ts';
import classes from './RuleEditor.module.css';
import { errorsBelow, type RuleError } from './rule-errors.ts';
import { RULES_TEXTS as TEXTS } from './texts.ts';

type Outcome = 'at_least' | 'at_most' | 'exactly' | 'watch';

const outcomeOf = (then: Then): Outcome => {
  if ('watch' in then) return 'watch';
  if ('at_least' in then) return 'at_least';
  return 'at_most' in then ? 'at_most' : 'exactly';
};

export const decisionOf = (then: Then): Decision | null => {
  if ('watch' in then) return null;
  if ('at_least' in then) return then.at_least;
  return 'at_most' in then ? then.at_most : then.exactly;
};

const thenOf = (outcome: Outcome, decision: Decision): Then => {
  if (outcome === 'watch') return { watch: true };
  if (outcome === 'at_least') return { at_least: decision };
  return outcome === 'at_most' ? { at_most: decision } : { exactly: decision };
};

/** Keeps the year at four digits while somebody types it. */
const END_MAX = '2099-12-31T23:59';

/** The name, the conditions, the outcome and the end of one rule. Every change shows in its sentence and in the JSON. */
export function RuleEditor({
  rule,
  keys,
  errors,
  onChange,
  onDone,
}: {
  rule: Rule;
  keys: readonly NamedKey[];
  errors: readonly RuleError[];
  onChange: (rule: Rule) => void;
  onDone: () => void;
}) {
  const { name, when, then } = rule;
  const outcome = outcomeOf(then);
  const decision = decisionOf(then) ?? 'challenge';
  const end = (minute: string): Rule => {
    const { ends_at: _, ...endless } = rule;
    const ends_at = endOf(minute);
    return ends_at ? { ...endless, ends_at } : endless;
  };
  return (
    <div className={classes.editor}>
      <TextInput
        label={TEXTS.name}
        value={name}
        maxLength={POLICY_LANGUAGE.limits.nameChars}
        error={errorsBelow(errors, 'name')[0]?.message ?? null}
        onChange={(event) => onChange({ ...rule, name: event.currentTarget.value })}
        autoComplete="off"
        ref={focusOnce}
      />
      <ConditionGroup
        when={when}
        depth={1}
        legend="When"
        keys={keys}
        errors={errorsBelow(errors, 'when')}
        onChange={(changed) => onChange({ ...rule, when: changed })}
      />
      <fieldset className={classes.then}>
        <legend className={classes.legend}>Then</legend>
        <NativeSelect
          aria-label="Outcome"
          error={errorsBelow(errors, 'then')[0]?.message ?? null}
          value={outcome}
          onChange={(event) =>
            onChange({ ...rule, then: thenOf(event.currentTarget.value as Outcome, decision) })
          }
          data={TEXTS.outcomes}
        />
        {outcome !== 'watch' && (
          <NativeSelect
            aria-label="Decision"
            value={decision}
            onChange={(event) =>
              onChange({ ...rule, then: thenOf(outcome, event.currentTarget.value as Decision) })
            }
            data={[...DECISIONS]}
          />
        )}
        <TextInput
          label="Ends (UTC, optional)"
          type="datetime-local"
          max={END_MAX}
          error={errorsBelow(errors, 'ends_at')[0]?.message ?? null}
          value={minuteOf(rule.ends_at)}
          onChange={(event) => onChange(end(event.currentTarget.value))}
        />
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </fieldset>
    </div>
  );
}

/** The editor opens with the focus in its first field. */
const focusOnce = (input: HTMLInputElement | null): void => input?.focus();

import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { FACTOR_CODES } from '@verdict/contracts/factor-codes.js';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import { useId, useState } from 'react';
import type { Condition } from '../../api/policies.ts';
import { countryName } from '../../ui/format/country-name.ts';
import classes from './RuleEditor.module.css';
import { RULES_TEXTS as TEXTS } from './texts.ts';

export interface NamedKey {
  readonly id: string;
  readonly name: string;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  country: 'DE, FR',
  asn: 'AS64500',
  network: '203.0.113.0/24',
  shape: 'abc123.xyz',
};

type Choice = { readonly value: Condition['value']; readonly label: string };

/** The input for the value of a condition: a choice where the field has few values, else a text with suggestions. */
export function ConditionValue({
  condition,
  keys,
  error,
  onChange,
}: {
  condition: Condition;
  keys: readonly NamedKey[];
  error: string | null;
  onChange: (value: Condition['value']) => void;
}) {
  const { field, op, value } = condition;
  const { type, range, form } = POLICY_LANGUAGE.fields[field] ?? {};
  const codes = useId();
  const choices = choicesOf(condition, keys);
  if (choices && op === 'in')
    return <ChoiceList choices={choices} value={value} error={error} onChange={onChange} />;
  if (choices) {
    return (
      <NativeSelect
        aria-label={TEXTS.value}
        error={error}
        value={JSON.stringify(value)}
        onChange={(event) => onChange(JSON.parse(event.currentTarget.value) as Condition['value'])}
        data={choices.map((choice) => ({ value: JSON.stringify(choice.value), label: choice.label }))}
      />
    );
  }
  const example = type === 'hosts' ? 'mx1.example.net' : form && EXAMPLES[form];
  if (op === 'in')
    return (
      <TextList value={value} hint={example ?? 'Separate with commas'} error={error} onChange={onChange} />
    );
  const isNumber = type === 'number';
  return (
    <>
      <TextInput
        aria-label={TEXTS.value}
        placeholder={example}
        error={error}
        value={value === null ? '' : String(value)}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          onChange(!isNumber ? typed : typed === '' ? null : Number(typed));
        }}
        autoComplete="off"
        spellCheck={false}
        {...(isNumber && { type: 'number', min: range?.[0], max: range?.[1] })}
        {...(type === 'codes' && { list: codes })}
      />
      {type === 'codes' && (
        <datalist id={codes}>
          {FACTOR_CODES.map((code) => (
            <option key={code} value={code} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** The values to choose from; null where any text may be typed. */
function choicesOf({ field, op, value }: Condition, keys: readonly NamedKey[]): readonly Choice[] | null {
  const { type, values, form, nullable } = POLICY_LANGUAGE.fields[field] ?? {};
  if (type === 'flag') {
    return [
      { value: true, label: 'true' },
      { value: false, label: 'false' },
    ];
  }
  if (form === 'key') {
    const given = Array.isArray(value) ? value : [value];
    const gone = given.filter((id) => id !== '' && !keys.some((key) => key.id === id));
    return [
      ...(op === 'in' || value !== '' ? [] : [{ value: '', label: 'Choose a key' }]),
      ...keys.map(({ id, name }) => ({ value: id, label: name })),
      ...gone.map((id) => ({ value: id, label: String(id) })),
    ];
  }
  if (form === 'country') {
    if (op === 'in') return null;
    const named = (values ?? []).map((code) => ({ value: code, label: countryName(code) }));
    named.sort((a, b) => a.label.localeCompare(b.label, 'en'));
    return [...(value === '' ? [{ value: '', label: 'Choose a country' }] : []), ...named];
  }
  if (!values) return null;
  const named = values.map((one) => ({ value: one, label: one }));
  return nullable && op !== 'in' ? [...named, { value: null, label: 'not known' }] : named;
}

function ChoiceList({
  choices,
  value,
  error,
  onChange,
}: {
  choices: readonly Choice[];
  value: Condition['value'];
  error: string | null;
  onChange: (value: string[]) => void;
}) {
  const chosen = new Set(Array.isArray(value) ? value : []);
  return (
    <fieldset className={classes.choices}>
      <legend className="v-offscreen">{TEXTS.value}</legend>
      {choices.map((choice) => {
        const one = String(choice.value);
        return (
          <Checkbox
            key={one}
            size="xs"
            label={choice.label}
            checked={chosen.has(one)}
            onChange={(event) => {
              if (event.currentTarget.checked) chosen.add(one);
              else chosen.delete(one);
              onChange(choices.map((each) => String(each.value)).filter((each) => chosen.has(each)));
            }}
          />
        );
      })}
      {error && <p className={classes.error}>{error}</p>}
    </fieldset>
  );
}

const split = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Texts between commas. The input keeps a comma at the end, because the next text follows it. */
function TextList({
  value,
  hint,
  error,
  onChange,
}: {
  value: Condition['value'];
  hint: string;
  error: string | null;
  onChange: (value: string[]) => void;
}) {
  const given = Array.isArray(value) ? value : [];
  const [typed, setTyped] = useState(given.join(', '));
  const shown = split(typed).join() === given.join() ? typed : given.join(', ');
  return (
    <TextInput
      aria-label={TEXTS.value}
      placeholder={hint}
      error={error}
      value={shown}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(split(event.currentTarget.value));
      }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

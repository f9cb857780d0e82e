import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Rule } from '../../api/policies.ts';
import classes from './PoliciesPage.module.css';
import { readJson, toJson } from './read-json.ts';
import { isSame } from './rule-changes.ts';

const ROWS = 18;

/** The rules as JSON. Text that is not complete yet stays here; everything else goes to the rules beside it. */
export function JsonEditor({
  rules,
  onChange,
}: {
  rules: readonly Rule[];
  onChange: (rules: readonly Rule[]) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = typed === null ? null : readJson(typed);
  // The builder wins: once it has changed the rules, the text follows them.
  const shown = typed !== null && (!read?.ok || isSame(read.rules, rules)) ? typed : toJson(rules);
  return (
    <Textarea
      aria-label="Rules as JSON"
      description="Changes here appear in the rules above as soon as the JSON is complete."
      inputWrapperOrder={['input', 'error', 'description']}
      classNames={{ input: classes.json ?? '' }}
      rows={ROWS}
      spellCheck={false}
      value={shown}
      error={read && !read.ok ? read.error : null}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const next = readJson(text);
        if (next.ok) onChange(next.rules);
      }}
      onBlur={() => {
        if (read?.ok) setTyped(null);
      }}
    />
  );
}

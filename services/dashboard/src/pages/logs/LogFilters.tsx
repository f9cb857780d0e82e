import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { GROUPINGS } from '@verdict/domain/check-groups.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import { useEffect, useState } from 'react';
import { changed, type FilterChange } from '../../shell/search-params.ts';
import { daysAgo } from '../../ui/format/format.ts';
import { DecisionShape } from '../../ui/verdict/DecisionMark.tsx';
import classes from './LogsPage.module.css';
import { soughtIn } from './logs-filter.ts';
import type { LogsSearch } from './logs-search.ts';
import { LOGS_TEXTS as TEXTS } from './texts.ts';

const TYPING_MS = 300;
const BETWEEN = 'between';

/** Every filter stands in the address of the page, so that it can be sent to a colleague. */
export function LogFilters({
  search,
  hint,
}: {
  search: LogsSearch;
  /** Why nothing is searched for. */
  hint: string | undefined;
}) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(search.q ?? '');
  useEffect(() => setTyped(search.q ?? ''), [search.q]);

  const change = (part: FilterChange<LogsSearch>, replace = false) =>
    void navigate({ to: '/checks', search: changed(search, part), replace });
  const seek = useDebouncedCallback((text: string) => {
    const { log } = soughtIn(text);
    if (!log) return change({ q: text.trim() }, true);
    setTyped('');
    void navigate({ to: '/checks/$id', params: { id: log }, search: changed(search, { q: undefined }) });
  }, TYPING_MS);
  const between = search.from !== undefined || search.to !== undefined;

  return (
    <search className={classes.filters}>
      <TextInput
        label="Address, domain, IP or id"
        type="search"
        placeholder="jane, 203.0.113.0/24 or AS64500"
        description={hint}
        inputWrapperOrder={['label', 'input', 'description']}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          seek(event.currentTarget.value);
        }}
      />
      <DecisionFilter search={search} onChange={(decision) => change({ decision })} />
      <NativeSelect
        label="Time"
        value={between ? BETWEEN : (search.range ?? '')}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value === BETWEEN) change({ range: undefined, from: daysAgo(7), to: daysAgo(0) });
          else change({ range: value, from: undefined, to: undefined });
        }}
        data={[
          { value: '', label: 'Any time' },
          ...Object.entries(TEXTS.ranges).map(([value, label]) => ({ value, label })),
          { value: BETWEEN, label: 'Between two days' },
        ]}
      />
      <GroupBy search={search} onChange={(by) => change({ by })} />
      <Button
        variant="subtle"
        color="gray"
        disabled={Object.values(search).every((value) => value === undefined)}
        onClick={() => void navigate({ to: '/checks', search: {} })}
      >
        {TEXTS.clear}
      </Button>
      {between && (
        <div className={classes.days}>
          <TextInput
            label="From (UTC)"
            type="date"
            value={search.from ?? ''}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            label="To, inclusive (UTC)"
            type="date"
            value={search.to ?? ''}
            onChange={(event) => change({ to: event.currentTarget.value })}
          />
        </div>
      )}
    </search>
  );
}

function DecisionFilter({ search, onChange }: { search: LogsSearch; onChange: (decisions: string) => void }) {
  const chosen = new Set(search.decision?.split(',') ?? []);
  return (
    <fieldset className={classes.decisions}>
      <legend>{TEXTS.decision}</legend>
      {DECISIONS.map((decision) => (
        <label key={decision} className={classes.decision} data-decision={decision}>
          <input
            type="checkbox"
            checked={chosen.has(decision)}
            onChange={(event) => {
              if (event.currentTarget.checked) chosen.add(decision);
              else chosen.delete(decision);
              onChange(DECISIONS.filter((one) => chosen.has(one)).join(','));
            }}
          />
          <span>
            <DecisionShape decision={decision} size={12} />
            {decision}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function GroupBy({ search, onChange }: { search: LogsSearch; onChange: (by: string) => void }) {
  return (
    <NativeSelect
      label="Group by"
      value={search.by ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: 'Nothing' },
        ...GROUPINGS.map((value) => ({ value, label: TEXTS.groupings[value] })),
      ]}
    />
  );
}

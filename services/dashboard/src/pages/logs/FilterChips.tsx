import { Button, Menu, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FACTOR_CODES } from '@verdict/contracts/factor-codes.js';
import { LIST_CODES, LIST_NAMES } from '@verdict/domain/account-list.js';
import { OUTCOMES } from '@verdict/domain/outcomes.js';
import { type ApiKey, keysQuery } from '../../api/keys.ts';
import { changed, type FilterChange } from '../../shell/search-params.ts';
import { useCopy } from '../../ui/copy/use-copy.ts';
import { countryName } from '../../ui/format/country-name.ts';
import { OUTCOME_WORDS } from '../../ui/verdict/outcome-words.ts';
import classes from './LogsPage.module.css';
import type { LogsSearch } from './logs-search.ts';
import { LOGS_TEXTS as TEXTS } from './texts.ts';

/** The rarer filters as chips that a click takes away, and a menu that adds them. The address of the page is the view. */
export function FilterChips({ search }: { search: LogsSearch }) {
  const navigate = useNavigate();
  const { copied, copy } = useCopy();
  const keys = useQuery(keysQuery).data?.keys ?? [];
  const change = (part: FilterChange<LogsSearch>) =>
    void navigate({ to: '/checks', search: changed(search, part) });
  // The mode follows the key where there is one.
  const shown = { ...search, mode: search.key ? undefined : search.mode };
  const nameOfKey = (id: string) => keys.find((key) => key.id === id)?.name ?? id;
  const chips = Object.entries({ key: (id: string) => `Key ${nameOfKey(id)}`, ...CHIPS }).flatMap(
    ([name, words]) => {
      const value = shown[name as keyof typeof CHIPS];
      return value === undefined ? [] : [{ name, label: words(value) }];
    },
  );
  return (
    <div className={classes.chips}>
      {chips.map(({ name, label }) => (
        <Button
          key={name}
          variant="light"
          size="compact-sm"
          aria-label={`Remove the filter ${label}`}
          onClick={() => change({ [name]: undefined, ...(name === 'key' && { mode: undefined }) })}
        >
          {label} ×
        </Button>
      ))}
      <Menu position="bottom-start" trapFocus closeOnItemClick={false}>
        <Menu.Target>
          <Button variant="default" size="compact-sm">
            More filters
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.more}>
            <MoreFilters search={search} keys={keys} onChange={change} />
          </div>
        </Menu.Dropdown>
      </Menu>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={() => copy(window.location.href)}>
        <span aria-live="polite">{copied ? 'Copied' : 'Copy link to this view'}</span>
      </Button>
    </div>
  );
}

const NONE = 'none';
const TEST = 'test';

const CHIPS = {
  mode: () => 'Test keys',
  outcome: (outcomes: string) =>
    outcomes === NONE
      ? 'No outcome'
      : `Outcome ${OUTCOMES.filter((one) => outcomes.split(',').includes(one))
          .map((one) => OUTCOME_WORDS[one])
          .join(' or ')}`,
  reason: (code: string) => `Reason ${code}`,
  list: (list: string) => `Decided by your ${list} list`,
  rule: (name: string) => `Rule “${name}”`,
  tag: (tag: string) => `Tag “${tag}”`,
  shape: (shape: string) => `Domains like ${shape}`,
  mail: (host: string) => `Mail host ${host}`,
  country: (code: string) => countryName(code),
  min: (score: string) => `Score from ${score}`,
  max: (score: string) => `Score to ${score}`,
  revised: () => 'Decided differently now',
  ids: (ids: string) => TEXTS.chosen(ids.split(',').length),
};

function MoreFilters({
  search,
  keys,
  onChange,
}: {
  search: LogsSearch;
  keys: readonly ApiKey[];
  onChange: (part: FilterChange<LogsSearch>) => void;
}) {
  return (
    <>
      <NativeSelect
        label="Key"
        value={search.key ?? search.mode ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          // Checks of test keys are stored apart, so a test key asks for those.
          const isTest = value === TEST || keys.find(({ id }) => id === value)?.mode === TEST;
          onChange({ key: value === TEST ? undefined : value, mode: isTest ? TEST : undefined });
        }}
        data={[
          { value: '', label: 'Any live key' },
          { value: TEST, label: 'Any test key' },
          ...keys.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <NativeSelect
        label="Outcome"
        value={search.outcome ?? ''}
        onChange={(event) => onChange({ outcome: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any' },
          { value: NONE, label: 'None yet' },
          ...OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] })),
        ]}
      />
      <NativeSelect
        label="Reason"
        value={search.reason ?? ''}
        onChange={(event) => onChange({ reason: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any' },
          ...[...FACTOR_CODES, ...Object.values(LIST_CODES)].map((code) => ({ value: code, label: code })),
        ]}
      />
      <NativeSelect
        label="Decided by list"
        value={search.list ?? ''}
        onChange={(event) => onChange({ list: event.currentTarget.value })}
        data={[{ value: '', label: 'Any' }, ...LIST_NAMES.map((list) => ({ value: list, label: list }))]}
      />
      <NativeSelect
        label="Second look"
        value={search.revised ?? ''}
        onChange={(event) => onChange({ revised: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any' },
          { value: 'yes', label: 'Decided differently now' },
        ]}
      />
      <TextField label="Rule" value={search.rule} onChange={(rule) => onChange({ rule })} />
      <TextField label="Tag" value={search.tag} onChange={(tag) => onChange({ tag })} />
      <TextField
        label="Domains like"
        placeholder="abc123.xyz"
        value={search.shape}
        onChange={(shape) => onChange({ shape: shape.toLowerCase() })}
      />
      <TextField
        label="Mail host"
        placeholder="google.com"
        value={search.mail}
        onChange={(mail) => onChange({ mail: mail.toLowerCase() })}
      />
      <TextField
        label="Country of the IP"
        placeholder="DE"
        value={search.country}
        onChange={(country) => onChange({ country: country.toUpperCase() })}
      />
      <Score label="Score from" value={search.min} onChange={(min) => onChange({ min })} />
      <Score label="Score to" value={search.max} onChange={(max) => onChange({ max })} />
    </>
  );
}

/** Searches when it is left or on Enter. */
function TextField({
  label,
  placeholder,
  value = '',
  onChange,
}: {
  label: string;
  placeholder?: string;
  value: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <TextInput
      key={value}
      label={label}
      {...(placeholder && { placeholder })}
      defaultValue={value}
      onBlur={(event) =>
        event.currentTarget.value.trim() !== value && onChange(event.currentTarget.value.trim())
      }
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}

function Score({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <NumberInput
      label={label}
      min={0}
      max={100}
      value={value ?? ''}
      onChange={(next) => onChange(String(next))}
    />
  );
}

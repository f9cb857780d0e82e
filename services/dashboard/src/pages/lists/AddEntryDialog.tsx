import { Button, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { ListMatching } from '@verdict/domain/account-list.js';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { impactQuery, LISTS, type ListName } from '../../api/lists.ts';
import { EVIDENCE } from '../../api/logs.ts';
import { OVERVIEW } from '../../api/usage.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { Impact } from './Impact.tsx';
import { LISTS_TEXTS, ADD_TEXTS as TEXTS } from './texts.ts';

const TYPING_MS = 350;
const DAY_MS = 86_400_000;

/** Adds an entry after showing what it would have changed; the toast takes it back. */
export function AddEntryDialog({
  list,
  values = [],
  note: firstNote = '',
  onClose,
}: {
  list: ListName;
  /** To choose from, such as an address and its domain; otherwise the value is typed. */
  values?: readonly string[];
  note?: string;
  onClose: () => void;
}) {
  const [value, setValue] = useState(values[0] ?? '');
  const [note, setNote] = useState(firstNote);
  const [days, setDays] = useState('');
  const [chosen, setChosen] = useState<ListMatching | null>(null);
  const [settled] = useDebouncedValue(value.trim(), TYPING_MS);
  const { data: typed } = useQuery(impactQuery(list, settled, 'exact'));
  const isAddress = typed?.kind === 'address' && settled === value.trim();
  const match = isAddress ? (chosen ?? (typed.mailbox === null ? 'exact' : 'mailbox')) : 'exact';
  const { data: covered } = useQuery(impactQuery(list, settled, match));
  const stale = [LISTS, OVERVIEW, EVIDENCE];
  const undoing = useAction((id: string) => call(`DELETE /lists/${list}/:id/`, { params: { id } }), {
    stale,
    failed: LISTS_TEXTS.removeFailed,
  });
  const adding = useAction(
    (_: FormData) =>
      call(`POST /lists/${list}/`, {
        body: {
          value: value.trim(),
          match,
          ...(note.trim() && { note: note.trim() }),
          ...(days && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
        },
      }),
    {
      stale,
      then: onClose,
      done: ({ entry }) => ({
        id: entry.id,
        title: `${entry.value} is on the ${list} list`,
        message: (
          <>
            {LISTS_TEXTS.immediately}{' '}
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => {
                notifications.hide(entry.id);
                undoing.mutate(entry.id);
              }}
            >
              Undo
            </Button>
          </>
        ),
      }),
    },
  );
  return (
    <FormDialog
      title={`Add to the ${list} list`}
      submit="Add entry"
      fields={['value', 'note']}
      action={adding}
      onClose={onClose}
    >
      <ValueField values={values} value={value} error={adding.error} onChange={setValue} />
      {isAddress && (
        <NativeSelect
          label="Matches"
          description={
            match === 'mailbox'
              ? `Covers every address that is delivered to ${covered?.value ?? '…'}.`
              : 'Other spellings of the same mailbox are not covered.'
          }
          value={match}
          onChange={(event) => setChosen(event.currentTarget.value as ListMatching)}
          data={TEXTS.matches}
        />
      )}
      <NativeSelect
        label="Expires"
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
        data={TEXTS.expiries}
      />
      <TextInput
        label="Note (optional)"
        description="Why you add it."
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={200}
        error={fieldError(adding.error, 'note', 'Note')}
      />
      {settled !== '' && <Impact list={list} value={settled} match={match} />}
    </FormDialog>
  );
}

/** One of several values to choose, or a field to type one. */
function ValueField({
  values,
  value,
  error: cause,
  onChange,
}: {
  values: readonly string[];
  value: string;
  error: unknown;
  onChange: (value: string) => void;
}) {
  const error = fieldError(cause, 'value', 'This value');
  if (values.length > 0) {
    return (
      <Radio.Group label={TEXTS.value} value={value} onChange={onChange} error={error}>
        {values.map((one, index) => (
          <Radio
            key={one}
            mt={6}
            value={one}
            label={<bdi>{one}</bdi>}
            data-autofocus={index === 0 || undefined}
          />
        ))}
      </Radio.Group>
    );
  }
  return (
    <TextInput
      label={TEXTS.value}
      error={error}
      description="jane@example.com, example.com, 203.0.113.7 or 203.0.113.0/24"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={512}
      required
      autoComplete="off"
      spellCheck={false}
      data-autofocus
    />
  );
}

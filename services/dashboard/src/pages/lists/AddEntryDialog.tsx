import { Button, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListMatching } from '@verdict/contracts/account-list.js';
import { useState } from 'react';
import { addEntry, impactQuery, LISTS, type ListName, removeEntry } from '../../api/lists.ts';
import { EVIDENCE } from '../../api/logs.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { showError } from '../../ui/error/show-error.ts';
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
  const client = useQueryClient();
  const refresh = () =>
    Promise.all([LISTS, ['overview'], EVIDENCE].map((queryKey) => client.invalidateQueries({ queryKey })));
  const undoing = useMutation({
    mutationFn: (id: string) => removeEntry(list, id),
    onError: showError(LISTS_TEXTS.removeFailed),
    onSettled: refresh,
  });
  const adding = useMutation({
    mutationFn: () =>
      addEntry(list, {
        value: value.trim(),
        match,
        ...(note.trim() && { note: note.trim() }),
        ...(days && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
      }),
    onSuccess: async ({ entry }) => {
      onClose();
      const id = notifications.show({
        title: TEXTS.done(entry.value, list),
        message: (
          <>
            {LISTS_TEXTS.immediately}{' '}
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => {
                notifications.hide(id);
                undoing.mutate(entry.id);
              }}
            >
              {TEXTS.undo}
            </Button>
          </>
        ),
      });
      await refresh();
    },
  });
  return (
    <FormDialog
      title={TEXTS.title(list)}
      submit={TEXTS.submit}
      fields={['value', 'note']}
      acting={adding}
      onSubmit={() => adding.mutate()}
      onClose={onClose}
    >
      {values.length > 0 ? (
        <Radio.Group
          label={TEXTS.value}
          value={value}
          onChange={setValue}
          error={fieldError(adding.error, 'value', TEXTS.valueWord)}
        >
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
      ) : (
        <TextInput
          label={TEXTS.value}
          error={fieldError(adding.error, 'value', TEXTS.valueWord)}
          description={TEXTS.valueHint}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          maxLength={512}
          required
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
      {isAddress && (
        <NativeSelect
          label={TEXTS.match}
          description={match === 'mailbox' ? TEXTS.mailboxHint(covered?.value ?? '…') : TEXTS.exactHint}
          value={match}
          onChange={(event) => setChosen(event.currentTarget.value as ListMatching)}
          data={TEXTS.matches}
        />
      )}
      <NativeSelect
        label={TEXTS.expires}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
        data={TEXTS.expiries}
      />
      <TextInput
        label={TEXTS.note}
        description={TEXTS.noteHint}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={200}
        error={fieldError(adding.error, 'note', TEXTS.noteWord)}
      />
      {settled !== '' && <Impact list={list} value={settled} match={match} />}
    </FormDialog>
  );
}

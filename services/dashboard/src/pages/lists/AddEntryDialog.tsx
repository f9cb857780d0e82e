import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addEntry, LISTS, type ListName } from '../../api/lists.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Impact } from './Impact.tsx';
import { LISTS_TEXTS, ADD_TEXTS as TEXTS } from './texts.ts';

const TYPING_MS = 350;

export function AddEntryDialog({ list, onClose }: { list: ListName; onClose: () => void }) {
  const [value, setValue] = useState('');
  const [note, setNote] = useState('');
  const [settled] = useDebouncedValue(value.trim(), TYPING_MS);
  const client = useQueryClient();
  const adding = useMutation({
    mutationFn: () => addEntry(list, value.trim(), note.trim()),
    onSuccess: async ({ entry }) => {
      onClose();
      notifications.show({ title: TEXTS.done(entry.value, list), message: LISTS_TEXTS.immediately });
      await Promise.all([
        client.invalidateQueries({ queryKey: LISTS }),
        client.invalidateQueries({ queryKey: ['overview'] }),
      ]);
    },
  });
  return (
    <FormDialog
      title={TEXTS.title(list)}
      submit={TEXTS.submit}
      acting={adding}
      onSubmit={() => adding.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={TEXTS.value}
        description={TEXTS.valueHint}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        maxLength={512}
        required
        withAsterisk={false}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <TextInput
        label={TEXTS.note}
        description={TEXTS.noteHint}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={200}
      />
      {settled !== '' && <Impact list={list} value={settled} />}
    </FormDialog>
  );
}

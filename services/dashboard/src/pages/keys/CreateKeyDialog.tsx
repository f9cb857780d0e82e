import { NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createKey, KEYS } from '../../api/keys.ts';
import dialog from '../../ui/Dialog.module.css';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { KeyTermsFields } from './KeyTermsFields.tsx';
import { termsOf } from './key-terms.ts';
import type { NewValue } from './NewValueDialog.tsx';
import { CREATE_TEXTS as TEXTS } from './texts.ts';

export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (made: NewValue) => void;
}) {
  const client = useQueryClient();
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const creation = useMutation({
    mutationFn: createKey,
    onSuccess: async (made) => {
      onCreated({ name: made.key.name, value: made.api_key, inEffect: made.in_effect, oldValueUntil: null });
      await Promise.all([
        client.invalidateQueries({ queryKey: KEYS }),
        client.invalidateQueries({ queryKey: ['overview'] }),
      ]);
    },
  });
  return (
    <FormDialog
      title={TEXTS.title}
      submit={TEXTS.submit}
      acting={creation}
      onSubmit={(form) => creation.mutate({ name: String(form.get('name')).trim(), mode, ...termsOf(form) })}
      onClose={onClose}
    >
      <TextInput
        label={TEXTS.name}
        description={TEXTS.nameHint}
        name="name"
        maxLength={100}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <NativeSelect
        label={TEXTS.mode}
        value={mode}
        onChange={(event) => setMode(event.currentTarget.value === 'test' ? 'test' : 'live')}
        data={TEXTS.modes}
      />
      <details className={dialog.more}>
        <summary>{TEXTS.terms}</summary>
        <div className={dialog.form}>
          <KeyTermsFields metered={mode === 'live'} />
        </div>
      </details>
    </FormDialog>
  );
}

import { NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createKey, KEYS } from '../../api/keys.ts';
import dialog from '../../ui/dialog/Dialog.module.css';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { KeyLimitsFields, LIMIT_FIELDS } from './KeyLimitsFields.tsx';
import { limitsOf } from './key-limits.ts';
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
      fields={['name', ...LIMIT_FIELDS]}
      acting={creation}
      onSubmit={(form) => creation.mutate({ name: String(form.get('name')).trim(), mode, ...limitsOf(form) })}
      onClose={onClose}
    >
      <TextInput
        label={TEXTS.name}
        description={TEXTS.nameHint}
        name="name"
        error={fieldError(creation.error, 'name', TEXTS.name)}
        maxLength={100}
        required
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
        <summary>{TEXTS.limits}</summary>
        <div className={dialog.form}>
          <KeyLimitsFields metered={mode === 'live'} error={creation.error} />
        </div>
      </details>
    </FormDialog>
  );
}

import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { type ApiKey, KEYS } from '../../api/keys.ts';
import { OVERVIEW } from '../../api/usage.ts';
import { useAction } from '../../ui/action/use-action.ts';
import dialog from '../../ui/dialog/Dialog.module.css';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { KeyLimitsFields, LIMIT_FIELDS } from './KeyLimitsFields.tsx';
import { limitsOf } from './key-limits.ts';
import type { NewValue } from './NewValueDialog.tsx';

/** Creates a key, or edits the name and the limits of `of`. */
export function KeyDialog({
  of,
  onCreated,
  onClose,
}: {
  of?: ApiKey;
  onCreated?: (made: NewValue) => void;
  onClose: () => void;
}) {
  const [mode, setMode] = useState<ApiKey['mode']>(of?.mode ?? 'live');
  const saving = useAction(
    async (form: FormData) => {
      const body = { name: String(form.get('name')).trim(), ...limitsOf(form) };
      if (!of) return call('POST /dashboard/keys/', { body: { ...body, mode } });
      await call('PATCH /dashboard/keys/:id/', { params: { id: of.id }, body });
      return null;
    },
    {
      stale: [KEYS, OVERVIEW],
      then: (made) => {
        onClose();
        if (!made) return;
        const { key, api_key: value, in_effect: inEffect } = made;
        onCreated?.({ name: key.name, value, inEffect, oldValueUntil: null });
      },
    },
  );
  const limits = <KeyLimitsFields {...(of && { of })} metered={mode === 'live'} error={saving.error} />;
  return (
    <FormDialog
      title={of ? `Edit ${of.name}` : 'Create a key'}
      submit={of ? 'Save changes' : 'Create key'}
      fields={['name', ...LIMIT_FIELDS]}
      action={saving}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Where you will use it, such as “Sign-up form, production”."
        name="name"
        error={fieldError(saving.error, 'name', 'Name')}
        defaultValue={of?.name ?? ''}
        maxLength={100}
        required
        autoComplete="off"
        data-autofocus
      />
      {of ? (
        limits
      ) : (
        <>
          <NativeSelect
            label="Kind"
            value={mode}
            onChange={(event) => setMode(event.currentTarget.value === 'test' ? 'test' : 'live')}
            data={[
              { value: 'live', label: 'Live: checks count' },
              { value: 'test', label: 'Test: free, for CI' },
            ]}
          />
          <details className={dialog.more}>
            <summary>Expiry, quota, networks, permissions</summary>
            <div className={dialog.form}>{limits}</div>
          </details>
        </>
      )}
    </FormDialog>
  );
}

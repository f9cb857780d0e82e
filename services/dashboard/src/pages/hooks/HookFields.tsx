import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  HOOK_KINDS,
  HOOK_MESSAGE,
  type HookKind,
  REFUSABLE,
  type Refusable,
} from '@verdict/contracts/hook-kinds.js';
import { useState } from 'react';
import type { Hook } from '../../api/hooks.ts';
import { keysQuery } from '../../api/keys.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import classes from './HookFields.module.css';
import { KIND_LIMITS, KIND_NAMES } from './texts.ts';

export const HOOK_FIELDS = ['kind', 'key_id', 'refuse', 'message', 'secret'];

/** The fields of a hook; hookOf reads them. */
export function HookFields({ of, error }: { of?: Hook; error: unknown }) {
  const keys = useQuery(keysQuery);
  const [kind, setKind] = useState<HookKind>('supabase');
  const usable =
    keys.data?.keys.filter(({ status, scopes }) => status !== 'revoked' && scopes.includes('check')) ?? [];
  return (
    <>
      {!of && (
        <NativeSelect
          label="Provider"
          description={KIND_LIMITS[kind]}
          name="kind"
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as HookKind)}
          data={HOOK_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))}
          data-autofocus
        />
      )}
      <NativeSelect
        // A list that arrives later must not leave the first key chosen.
        key={keys.dataUpdatedAt}
        label="Key"
        description="Checks of this hook count for this key."
        name="key_id"
        error={fieldError(error, 'key_id', 'Key')}
        defaultValue={of?.key_id ?? usable[0]?.id ?? ''}
        data={usable.map(({ id, name }) => ({ value: id, label: name }))}
        required
      />
      <fieldset className={classes.group}>
        <legend>Refuse sign-ups decided</legend>
        {REFUSABLE.map((decision) => (
          <Checkbox
            key={decision}
            name="refuse"
            value={decision}
            label={decision}
            defaultChecked={(of?.refuse ?? ['block']).includes(decision)}
          />
        ))}
      </fieldset>
      <NativeSelect
        label="If Verdict has no verdict"
        description="During an outage, over quota or after the key was revoked."
        name="on_error"
        defaultValue={of?.on_error ?? 'allow'}
        data={[
          { value: 'allow', label: 'Allow the sign-up' },
          { value: 'refuse', label: 'Refuse the sign-up' },
        ]}
      />
      <TextInput
        label="Message"
        description="Shown to refused people. Keep it neutral: a reason tells attackers what to change."
        name="message"
        error={fieldError(error, 'message', 'Message')}
        defaultValue={of?.message ?? HOOK_MESSAGE}
        maxLength={200}
        required
        autoComplete="off"
      />
      <TextInput
        label="Secret (optional)"
        description={
          of
            ? 'Leave empty to keep the present one. Two, separated by a bar, are valid together.'
            : 'Paste the one that your provider made. Leave empty for a new one.'
        }
        name="secret"
        error={fieldError(error, 'secret', 'Secret (optional)')}
        maxLength={512}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}

/** The terms that both forms have. */
export const hookTermsOf = (form: FormData) => {
  const secret = String(form.get('secret')).trim();
  return {
    key_id: String(form.get('key_id')),
    refuse: form.getAll('refuse') as Refusable[],
    on_error: form.get('on_error') === 'refuse' ? ('refuse' as const) : ('allow' as const),
    message: String(form.get('message')).trim(),
    ...(secret !== '' && { secret }),
  };
};

export const hookOf = (form: FormData) => ({ kind: form.get('kind') as HookKind, ...hookTermsOf(form) });

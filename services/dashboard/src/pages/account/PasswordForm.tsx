import { Button, PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { SESSIONS, secondFactorQuery } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { PROOF_FIELDS, ProofFields, proofOf } from './ProofFields.tsx';

export function PasswordForm() {
  const form = useRef<HTMLFormElement>(null);
  const { data: factor } = useQuery(secondFactorQuery);
  const change = useAction(
    (data: FormData) =>
      call('POST /auth/users/set_password/', {
        body: { ...proofOf(data), new_password: String(data.get('next')) },
      }),
    {
      stale: [SESSIONS],
      done: { title: 'Password changed', message: 'All other sessions were logged out.' },
      then: () => form.current?.reset(),
    },
  );
  return (
    <Section title="Password" note="Changing it logs you out everywhere else.">
      <form
        ref={form}
        className={panel.stack}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(new FormData(event.currentTarget));
        }}
      >
        <ProofFields secondFactor={factor?.enabled ?? false} error={change.error} label="Current password" />
        <PasswordInput
          label="New password"
          description="At least 10 characters. Common passwords are refused."
          name="next"
          autoComplete="new-password"
          error={fieldError(change.error, 'new_password', 'New password')}
          required
        />
        {change.error && <ErrorNotice error={change.error} fields={[...PROOF_FIELDS, 'new_password']} />}
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Section>
  );
}

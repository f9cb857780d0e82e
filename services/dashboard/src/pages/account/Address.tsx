import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { authSettingsQuery, ME, type Me } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { PROOF_FIELDS, ProofFields, proofOf } from './ProofFields.tsx';

/** The login address, whether it is confirmed, and the way to change it. */
export function Address({ me }: { me: Me }) {
  const settings = useQuery(authSettingsQuery);
  const [editing, setEditing] = useState(false);
  const asking = useAction(() => call('POST /auth/users/me/confirmation/'), {
    done: 'Check your inbox for the link',
    failed: 'Could not send the link',
  });
  const { email, email_verified: verified } = me.user;
  const mail = settings.data?.mail === true;
  return (
    <>
      {email} {mail && `(${verified ? 'confirmed' : 'not confirmed'}) `}
      <Button
        variant="default"
        size="compact-xs"
        aria-label="Change your email"
        onClick={() => setEditing(true)}
      >
        Change
      </Button>{' '}
      {mail && !verified && (
        <Button
          variant="default"
          size="compact-xs"
          loading={asking.isPending}
          onClick={() => asking.mutate()}
        >
          Send confirmation link
        </Button>
      )}
      {editing && <EmailDialog me={me} mail={mail} onClose={() => setEditing(false)} />}
    </>
  );
}

function EmailDialog({ me, mail, onClose }: { me: Me; mail: boolean; onClose: () => void }) {
  const emailOf = (form: FormData) => String(form.get('email')).trim();
  const change = useAction(
    (form: FormData) =>
      call('POST /auth/users/me/email/', { body: { email: emailOf(form), ...proofOf(form) } }),
    {
      stale: [ME],
      done: (answer, form) =>
        'mail' in answer ? `Check the inbox of ${emailOf(form)} for the link` : 'Email changed',
      then: onClose,
    },
  );
  return (
    <FormDialog
      title="Change your email"
      submit="Change email"
      fields={['email', ...PROOF_FIELDS]}
      action={change}
      onClose={onClose}
    >
      <p>
        {mail
          ? 'You get a link at the new address. The change takes effect when you open it.'
          : 'You log in with the new address from now on.'}
      </p>
      <TextInput
        label="New email"
        name="email"
        type="email"
        autoComplete="email"
        error={fieldError(change.error, 'email', 'New email')}
        required
        data-autofocus
      />
      <ProofFields secondFactor={me.user.second_factor} error={change.error} />
    </FormDialog>
  );
}

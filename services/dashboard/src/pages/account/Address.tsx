import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { askToConfirm, authSettingsQuery, changeEmail, type Me, meQuery } from '../../api/account.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { showError } from '../../ui/error/show-error.ts';
import { EMAIL_TEXTS as TEXTS } from './texts.ts';
import { PROOF_FIELDS, useProof } from './use-proof.tsx';

/** The login address, whether it is confirmed, and the way to change it. */
export function Address({ me }: { me: Me }) {
  const settings = useQuery(authSettingsQuery);
  const [editing, setEditing] = useState(false);
  const asking = useMutation({
    mutationFn: askToConfirm,
    onSuccess: () => notifications.show({ message: TEXTS.sent }),
    onError: showError(TEXTS.failed),
  });
  const { email, email_verified: verified } = me.user;
  const mail = settings.data?.mail === true;
  return (
    <>
      {email} {mail && `(${verified ? TEXTS.confirmed : TEXTS.unconfirmed}) `}
      <Button variant="default" size="compact-xs" aria-label={TEXTS.title} onClick={() => setEditing(true)}>
        {TEXTS.edit}
      </Button>{' '}
      {mail && !verified && (
        <Button
          variant="default"
          size="compact-xs"
          loading={asking.isPending}
          onClick={() => asking.mutate()}
        >
          {TEXTS.ask}
        </Button>
      )}
      {editing && <EmailDialog me={me} mail={mail} onClose={() => setEditing(false)} />}
    </>
  );
}

function EmailDialog({ me, mail, onClose }: { me: Me; mail: boolean; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (proof: Parameters<typeof changeEmail>[1]) => changeEmail(email.trim(), proof),
    onSuccess: async (answer) => {
      onClose();
      notifications.show({ message: 'mail' in answer ? TEXTS.linkSent(email.trim()) : TEXTS.done });
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  const { proof, fields } = useProof(me.user.second_factor, change.error);
  return (
    <FormDialog
      title={TEXTS.title}
      submit={TEXTS.submit}
      fields={['email', ...PROOF_FIELDS]}
      acting={change}
      onSubmit={() => change.mutate(proof)}
      onClose={onClose}
    >
      <p>{mail ? TEXTS.byLink : TEXTS.direct}</p>
      <TextInput
        label={TEXTS.next}
        type="email"
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={fieldError(change.error, 'email', TEXTS.next)}
        required
        data-autofocus
      />
      {fields}
    </FormDialog>
  );
}

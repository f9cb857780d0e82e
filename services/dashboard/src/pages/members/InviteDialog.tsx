import { TextInput } from '@mantine/core';
import type { Role } from '@verdict/domain/role.js';
import { call, type Reply } from '../../api/call.ts';
import { MEMBERS } from '../../api/members.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { RoleField, roleOf } from './RoleField.tsx';
import { MEMBERS_TEXTS as TEXTS } from './texts.ts';

export type Invited = Reply<'POST /members/invitations/'>;

/** Invites an address into a role. */
export function InviteDialog({
  own,
  onInvited,
  onClose,
}: {
  own: Role;
  onInvited: (invited: Invited) => void;
  onClose: () => void;
}) {
  const inviting = useAction(
    (form: FormData) =>
      call('POST /members/invitations/', {
        body: { email: String(form.get('email')).trim(), role: roleOf(form, own) },
      }),
    {
      stale: [MEMBERS],
      then: (invited) => {
        onClose();
        onInvited(invited);
      },
    },
  );
  return (
    <FormDialog
      title={TEXTS.invite}
      submit="Send invitation"
      fields={['email']}
      action={inviting}
      onClose={onClose}
    >
      <TextInput
        label="Email"
        name="email"
        type="email"
        error={fieldError(inviting.error, 'email', 'Email')}
        required
        autoComplete="off"
        data-autofocus
      />
      <RoleField own={own} present="analyst" />
    </FormDialog>
  );
}

import { Menu } from '@mantine/core';
import { useState } from 'react';
import type { Me } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import { MEMBERS, type Member } from '../../api/members.ts';
import { IconDots } from '../../icons.tsx';
import { useAction } from '../../ui/action/use-action.ts';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { IconButton } from '../../ui/table/IconButton.tsx';
import { RoleField, roleOf } from './RoleField.tsx';

/** Changes the role of another member, or removes them. */
export function MemberActions({ member, me }: { member: Member; me: Me }) {
  const [dialog, setDialog] = useState<'role' | 'remove' | null>(null);
  const close = () => setDialog(null);
  const own = me.account.role;
  const params = { id: member.id };
  const changing = useAction(
    (form: FormData) => call('PATCH /members/:id/', { params, body: { role: roleOf(form, own) } }),
    { stale: [MEMBERS], done: 'Role changed', then: close },
  );
  const removing = useAction((_: FormData) => call('DELETE /members/:id/', { params }), {
    stale: [MEMBERS],
    done: 'Member removed',
    then: close,
  });
  if (member.id === me.user.id || (member.role === 'owner' && own !== 'owner')) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={`Actions for ${member.email}`}>
            <IconDots size={16} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('role')}>Change role</Menu.Item>
          <Menu.Divider />
          <Menu.Item data-tone="danger" onClick={() => setDialog('remove')}>
            Remove member
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'role' && (
        <FormDialog title="Change role" submit="Change role" action={changing} onClose={close}>
          <p>{member.email} gets the new role immediately, also where they are logged in.</p>
          <RoleField own={own} present={member.role} />
        </FormDialog>
      )}
      {dialog === 'remove' && (
        <ConfirmByName
          title="Remove member"
          consequence="They lose access immediately, also where they are logged in, and their open invitations end. API keys they created keep working: revoke those they have seen."
          name={member.email}
          label="Email of the member"
          submit="Remove member"
          action={removing}
          onClose={close}
        />
      )}
    </>
  );
}

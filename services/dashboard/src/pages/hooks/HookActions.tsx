import { Menu } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { HOOKS, type Hook } from '../../api/hooks.ts';
import { IconDots } from '../../icons.tsx';
import { useAction } from '../../ui/action/use-action.ts';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import { IconButton } from '../../ui/table/IconButton.tsx';
import { HookDialog } from './HookDialog.tsx';
import { KIND_NAMES } from './texts.ts';

export function HookActions({ hook }: { hook: Hook }) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const name = KIND_NAMES[hook.kind];
  const deleting = useAction(
    (_: FormData) => call('DELETE /dashboard/hooks/:id/', { params: { id: hook.id } }),
    { stale: [HOOKS], done: 'Hook deleted', then: close },
  );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={`Actions for the ${name} hook`}>
            <IconDots size={16} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('edit')}>Edit</Menu.Item>
          <Menu.Divider />
          <Menu.Item data-tone="danger" onClick={() => setDialog('delete')}>
            Delete hook
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <HookDialog of={hook} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmByName
          title="Delete the hook"
          consequence="Its URL stops working. Most providers then refuse every sign-up, so remove it there first. You cannot undo this."
          name={name}
          label="Provider of the hook"
          submit="Delete hook"
          action={deleting}
          onClose={close}
        />
      )}
    </>
  );
}

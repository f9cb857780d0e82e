import { Menu } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { type ApiKey, KEYS } from '../../api/keys.ts';
import { OVERVIEW } from '../../api/usage.ts';
import { IconDots } from '../../icons.tsx';
import { useAction } from '../../ui/action/use-action.ts';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import { formatMoment, plural } from '../../ui/format/format.ts';
import { IconButton } from '../../ui/table/IconButton.tsx';
import { EndOldValue } from './EndOldValue.tsx';
import { KeyDialog } from './KeyDialog.tsx';
import { KeyNetworks } from './KeyNetworks.tsx';
import type { NewValue } from './NewValueDialog.tsx';
import { RollKey } from './RollKey.tsx';
import { REVOKE_TEXTS } from './texts.ts';

export function KeyActions({
  apiKey,
  checks,
  onNewValue,
}: {
  apiKey: ApiKey;
  /** Of the last 30 days. */
  checks: number;
  onNewValue: (made: NewValue) => void;
}) {
  const [dialog, setDialog] = useState<'edit' | 'roll' | 'end' | 'networks' | 'revoke' | null>(null);
  const close = () => setDialog(null);
  const of = { params: { id: apiKey.id } };
  const toggle = useAction(
    (active: boolean) => call('PATCH /dashboard/keys/:id/', { ...of, body: { active } }),
    {
      stale: [KEYS, OVERVIEW],
      failed: 'The key did not change',
      done: (_, active) =>
        active
          ? { title: `${apiKey.name} activated`, message: 'Requests with this key are accepted again.' }
          : { title: `${apiKey.name} deactivated`, message: 'Requests with this key are refused.' },
    },
  );
  const revoking = useAction((_: FormData) => call('DELETE /dashboard/keys/:id/', of), {
    stale: [KEYS, OVERVIEW],
    done: { title: `${apiKey.name} revoked`, message: 'Requests with this key are refused.' },
    then: close,
  });
  if (apiKey.status === 'revoked') return null;

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={`Actions for ${apiKey.name}`}>
            <IconDots size={16} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('edit')}>Edit</Menu.Item>
          <Menu.Item onClick={() => setDialog('roll')}>Roll key</Menu.Item>
          {apiKey.old_value && <Menu.Item onClick={() => setDialog('end')}>End old value</Menu.Item>}
          <Menu.Item onClick={() => setDialog('networks')}>Where it was used</Menu.Item>
          <Menu.Item onClick={() => toggle.mutate(apiKey.status !== 'active')}>
            {apiKey.status === 'active' ? 'Deactivate' : 'Activate'}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item data-tone="danger" onClick={() => setDialog('revoke')}>
            Revoke key
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <KeyDialog of={apiKey} onClose={close} />}
      {dialog === 'roll' && <RollKey apiKey={apiKey} onNewValue={onNewValue} onClose={close} />}
      {dialog === 'end' && apiKey.old_value && (
        <EndOldValue apiKey={apiKey} oldValue={apiKey.old_value} onClose={close} />
      )}
      {dialog === 'networks' && <KeyNetworks apiKey={apiKey} onClose={close} />}
      {dialog === 'revoke' && (
        <ConfirmByName
          title={`Revoke ${apiKey.name}`}
          consequence={`${
            apiKey.last_used_at
              ? REVOKE_TEXTS.used(
                  formatMoment(apiKey.last_used_at, Date.now(), true),
                  plural(checks, 'check'),
                )
              : 'This key was never used.'
          } Requests with this key are refused immediately. You cannot undo this; its checks stay under Checks and on your bill.`}
          name={apiKey.name}
          label="Key name"
          submit="Revoke key"
          action={revoking}
          onClose={close}
        />
      )}
    </>
  );
}

import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKey, KEYS, revokeKey, rollKey, updateKey } from '../../api/keys.ts';
import { IconDots } from '../../icons.tsx';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import { RollDialog } from '../../ui/dialog/RollDialog.tsx';
import { showError } from '../../ui/error/show-error.ts';
import { formatMoment, plural } from '../../ui/format/format.ts';
import { IconButton } from '../../ui/table/IconButton.tsx';
import { KeyLimitsDialog } from './KeyLimitsDialog.tsx';
import type { NewValue } from './NewValueDialog.tsx';
import { RenameKeyDialog } from './RenameKeyDialog.tsx';
import { REVOKE_TEXTS, ROLL_TEXTS, KEYS_TEXTS as TEXTS } from './texts.ts';

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
  const [dialog, setDialog] = useState<'rename' | 'limits' | 'roll' | 'revoke' | null>(null);
  const client = useQueryClient();
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: KEYS }),
      client.invalidateQueries({ queryKey: ['overview'] }),
    ]);
  const toggle = useMutation({
    mutationFn: (active: boolean) => updateKey(apiKey.id, { active }),
    onSuccess: (_, active) => {
      notifications.show(
        active
          ? { title: TEXTS.activated(apiKey.name), message: TEXTS.activatedText }
          : { title: TEXTS.deactivated(apiKey.name), message: TEXTS.deactivatedText },
      );
    },
    onError: showError(TEXTS.actFailed),
    onSettled: refresh,
  });
  const revocation = useMutation({
    mutationFn: () => revokeKey(apiKey.id),
    onSuccess: async () => {
      setDialog(null);
      notifications.show({ title: TEXTS.revoked(apiKey.name), message: TEXTS.revokedText });
      await refresh();
    },
  });
  if (apiKey.status === 'revoked') return null;

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={TEXTS.actionsOf(apiKey.name)}>
            <IconDots size={16} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('rename')}>{TEXTS.rename}</Menu.Item>
          <Menu.Item onClick={() => setDialog('limits')}>{TEXTS.limits}</Menu.Item>
          <Menu.Item onClick={() => setDialog('roll')}>{TEXTS.roll}</Menu.Item>
          <Menu.Item onClick={() => toggle.mutate(apiKey.status !== 'active')}>
            {apiKey.status === 'active' ? TEXTS.deactivate : TEXTS.activate}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item data-tone="danger" onClick={() => setDialog('revoke')}>
            {TEXTS.revoke}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'rename' && <RenameKeyDialog apiKey={apiKey} onClose={() => setDialog(null)} />}
      {dialog === 'limits' && <KeyLimitsDialog apiKey={apiKey} onClose={() => setDialog(null)} />}
      {dialog === 'roll' && (
        <RollDialog
          title={ROLL_TEXTS.title(apiKey.name)}
          texts={ROLL_TEXTS}
          roll={(overlapSeconds) => rollKey(apiKey.id, overlapSeconds)}
          stale={KEYS}
          onRolled={(rolled) =>
            onNewValue({
              name: rolled.key.name,
              value: rolled.api_key,
              inEffect: rolled.in_effect,
              oldValueUntil: rolled.old_value_expires_at,
            })
          }
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'revoke' && (
        <ConfirmByName
          title={REVOKE_TEXTS.title(apiKey.name)}
          consequence={`${
            apiKey.last_used_at
              ? REVOKE_TEXTS.used(
                  formatMoment(apiKey.last_used_at, Date.now(), true),
                  plural(checks, 'check'),
                )
              : REVOKE_TEXTS.unused
          } ${REVOKE_TEXTS.consequence}`}
          name={apiKey.name}
          label={REVOKE_TEXTS.label}
          action={REVOKE_TEXTS.action}
          acting={revocation}
          onConfirm={() => revocation.mutate()}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

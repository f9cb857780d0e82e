import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  deleteEndpoint,
  rollEndpoint,
  testEndpoint,
  updateEndpoint,
  WEBHOOKS,
  type WebhookEndpoint,
} from '../../api/webhooks.ts';
import { IconDots } from '../../icons.tsx';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import { RollDialog } from '../../ui/dialog/RollDialog.tsx';
import { showError } from '../../ui/error/show-error.ts';
import { IconButton } from '../../ui/table/IconButton.tsx';
import { ChangeEndpointDialog } from './ChangeEndpointDialog.tsx';
import type { NewSecret } from './NewSecretDialog.tsx';
import { ReplayDialog } from './ReplayDialog.tsx';
import { DELETE_TEXTS, ROLL_TEXTS, WEBHOOKS_TEXTS as TEXTS } from './texts.ts';

export function EndpointActions({
  endpoint,
  onNewSecret,
}: {
  endpoint: WebhookEndpoint;
  onNewSecret: (made: NewSecret) => void;
}) {
  const { id, url, status } = endpoint;
  const [dialog, setDialog] = useState<'change' | 'roll' | 'replay' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const navigate = useNavigate();
  const client = useQueryClient();
  const settled = {
    onError: showError(TEXTS.actFailed),
    onSettled: () => client.invalidateQueries({ queryKey: WEBHOOKS }),
  };
  const testing = useMutation({
    mutationFn: () => testEndpoint(id),
    onSuccess: async ({ delivery_id: delivery }) => {
      notifications.show({ message: TEXTS.testSent });
      await navigate({ to: '/webhooks/$id', params: { id: delivery }, resetScroll: false });
    },
    ...settled,
  });
  const toggling = useMutation({
    mutationFn: (enabled: boolean) => updateEndpoint(id, { enabled }),
    onSuccess: (_, enabled) =>
      notifications.show(
        enabled
          ? { title: TEXTS.enabled, message: TEXTS.enabledText }
          : { title: TEXTS.disabled, message: TEXTS.disabledText },
      ),
    ...settled,
  });
  const deleting = useMutation({
    mutationFn: () => deleteEndpoint(id),
    onSuccess: () => {
      close();
      notifications.show({ title: TEXTS.deleted, message: url });
    },
    onSettled: settled.onSettled,
  });
  const enabled = status === 'enabled';
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={TEXTS.actionsOf(url)}>
            <IconDots size={16} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          {enabled && <Menu.Item onClick={() => testing.mutate()}>{TEXTS.test}</Menu.Item>}
          <Menu.Item onClick={() => setDialog('change')}>{TEXTS.edit}</Menu.Item>
          <Menu.Item onClick={() => setDialog('roll')}>{TEXTS.roll}</Menu.Item>
          {enabled && <Menu.Item onClick={() => setDialog('replay')}>{TEXTS.replay}</Menu.Item>}
          <Menu.Item onClick={() => toggling.mutate(!enabled)}>
            {enabled ? TEXTS.disable : TEXTS.enable}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item data-tone="danger" onClick={() => setDialog('delete')}>
            {TEXTS.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'change' && <ChangeEndpointDialog endpoint={endpoint} onClose={close} />}
      {dialog === 'roll' && (
        <RollDialog
          title={ROLL_TEXTS.title}
          texts={ROLL_TEXTS}
          roll={(overlapSeconds) => rollEndpoint(id, overlapSeconds)}
          stale={WEBHOOKS}
          onRolled={({ secret, old_secret_expires_at: oldUntil }) => onNewSecret({ secret, oldUntil })}
          onClose={close}
        />
      )}
      {dialog === 'replay' && <ReplayDialog endpoint={endpoint} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmByName
          title={DELETE_TEXTS.title}
          consequence={DELETE_TEXTS.consequence}
          name={url}
          label={DELETE_TEXTS.label}
          action={TEXTS.delete}
          acting={deleting}
          onConfirm={() => deleting.mutate()}
          onClose={close}
        />
      )}
    </>
  );
}

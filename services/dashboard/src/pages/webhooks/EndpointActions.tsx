import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { WEBHOOKS, type WebhookEndpoint } from '../../api/webhooks.ts';
import { IconDots } from '../../icons.tsx';
import { useAction } from '../../ui/action/use-action.ts';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import { RollDialog } from '../../ui/dialog/RollDialog.tsx';
import { IconButton } from '../../ui/table/IconButton.tsx';
import { EndpointDialog } from './EndpointDialog.tsx';
import type { NewSecret } from './NewSecretDialog.tsx';
import { ReplayDialog } from './ReplayDialog.tsx';
import { ROLL_TEXTS } from './texts.ts';

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
  const of = { params: { id } };
  const acted = { stale: [WEBHOOKS], failed: 'The endpoint did not change' };
  const testing = useAction(() => call('POST /webhooks/endpoints/:id/test/', of), {
    ...acted,
    done: 'Test sent',
    then: ({ delivery_id: delivery }) =>
      navigate({ to: '/developers/webhooks/$id', params: { id: delivery }, resetScroll: false }),
  });
  const toggling = useAction(
    (enable: boolean) => call('PATCH /webhooks/endpoints/:id/', { ...of, body: { enabled: enable } }),
    {
      ...acted,
      done: (_, enable) =>
        enable
          ? { title: 'Endpoint enabled', message: 'It receives new events. Replay events to catch up.' }
          : { title: 'Endpoint disabled', message: 'It receives nothing. Pending deliveries were dropped.' },
    },
  );
  const deleting = useAction((_: FormData) => call('DELETE /webhooks/endpoints/:id/', of), {
    stale: [WEBHOOKS],
    done: { title: 'Endpoint deleted', message: url },
    then: close,
  });
  const enabled = status === 'enabled';
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={`Actions for ${url}`}>
            <IconDots size={16} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          {enabled && <Menu.Item onClick={() => testing.mutate()}>Send a test</Menu.Item>}
          <Menu.Item onClick={() => setDialog('change')}>Edit</Menu.Item>
          <Menu.Item onClick={() => setDialog('roll')}>Roll secret</Menu.Item>
          {enabled && <Menu.Item onClick={() => setDialog('replay')}>Replay events</Menu.Item>}
          <Menu.Item onClick={() => toggling.mutate(!enabled)}>{enabled ? 'Disable' : 'Enable'}</Menu.Item>
          <Menu.Divider />
          <Menu.Item data-tone="danger" onClick={() => setDialog('delete')}>
            Delete endpoint
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'change' && <EndpointDialog of={endpoint} onClose={close} />}
      {dialog === 'roll' && (
        <RollDialog
          title={ROLL_TEXTS.title}
          texts={ROLL_TEXTS}
          roll={(overlap_seconds) =>
            call('POST /webhooks/endpoints/:id/roll/', { ...of, body: { overlap_seconds } })
          }
          stale={WEBHOOKS}
          onRolled={({ secret, old_secret_expires_at: oldUntil }) => onNewSecret({ secret, oldUntil })}
          onClose={close}
        />
      )}
      {dialog === 'replay' && <ReplayDialog endpoint={endpoint} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmByName
          title="Delete the endpoint"
          consequence="It receives nothing from now on. Pending deliveries are dropped and its delivery log is removed. You cannot undo this."
          name={url}
          label="URL of the endpoint"
          submit="Delete endpoint"
          action={deleting}
          onClose={close}
        />
      )}
    </>
  );
}

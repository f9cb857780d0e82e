import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { WEBHOOKS, type WebhookEndpoint } from '../../api/webhooks.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { plural } from '../../ui/format/format.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** `2026-11-15T09:30`, as the field of a browser has it; here it is UTC. */
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const momentOf = (form: FormData, name: string): string => `${String(form.get(name)).slice(0, 16)}:00Z`;

export function ReplayDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const [now] = useState(Date.now);
  const sending = useAction(
    (form: FormData) =>
      call('POST /webhooks/endpoints/:id/replay/', {
        params: { id: endpoint.id },
        body: { from: momentOf(form, 'from'), to: momentOf(form, 'to') },
      }),
    {
      stale: [WEBHOOKS],
      done: ({ queued }) =>
        queued === 0 ? 'No events in this period' : `Sending ${plural(queued, 'event')}`,
      then: onClose,
    },
  );
  return (
    <FormDialog title="Replay events" submit="Replay events" action={sending} onClose={onClose}>
      <p>
        Sends every event of the period again, including delivered ones. Messages keep their webhook-id, so
        your receiver can skip duplicates.
      </p>
      <TextInput
        label="From (UTC)"
        type="datetime-local"
        name="from"
        defaultValue={minuteOf(now - DAY_MS)}
        required
        data-autofocus
      />
      <TextInput
        label="To (UTC)"
        type="datetime-local"
        name="to"
        defaultValue={minuteOf(now + MINUTE_MS)}
        required
      />
    </FormDialog>
  );
}

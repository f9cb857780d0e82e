import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { replayEvents, WEBHOOKS, type WebhookEndpoint } from '../../api/webhooks.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { plural } from '../../ui/format/format.ts';
import { REPLAY_TEXTS as TEXTS } from './texts.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** `2026-11-15T09:30`, as the field of a browser has it; here it is UTC. */
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const momentOf = (form: FormData, name: string): string => `${String(form.get(name)).slice(0, 16)}:00Z`;

export function ReplayDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const client = useQueryClient();
  const [now] = useState(Date.now);
  const sending = useMutation({
    mutationFn: (form: FormData) =>
      replayEvents(endpoint.id, { from: momentOf(form, 'from'), to: momentOf(form, 'to') }),
    onSuccess: async ({ queued }) => {
      onClose();
      notifications.show({ message: queued === 0 ? TEXTS.none : TEXTS.queued(plural(queued, 'event')) });
      await client.invalidateQueries({ queryKey: WEBHOOKS });
    },
  });
  return (
    <FormDialog
      title={TEXTS.title}
      submit={TEXTS.submit}
      acting={sending}
      onSubmit={sending.mutate}
      onClose={onClose}
    >
      <p>{TEXTS.text}</p>
      <TextInput
        label={TEXTS.from}
        type="datetime-local"
        name="from"
        defaultValue={minuteOf(now - DAY_MS)}
        required
        data-autofocus
      />
      <TextInput
        label={TEXTS.to}
        type="datetime-local"
        name="to"
        defaultValue={minuteOf(now + MINUTE_MS)}
        required
      />
    </FormDialog>
  );
}

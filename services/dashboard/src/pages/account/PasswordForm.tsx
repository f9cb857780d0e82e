import { Button, PasswordInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { SESSIONS, setPassword } from '../../api/account.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { PASSWORD_TEXTS as TEXTS } from './texts.ts';

export function PasswordForm() {
  const form = useRef<HTMLFormElement>(null);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ current, next }: { current: string; next: string }) => setPassword(current, next),
    onSuccess: async () => {
      form.current?.reset();
      notifications.show({ title: TEXTS.done, message: TEXTS.doneText });
      await client.invalidateQueries({ queryKey: SESSIONS });
    },
  });
  return (
    <Section title={TEXTS.title} note={TEXTS.note}>
      <form
        ref={form}
        className={panel.stack}
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          change.mutate({ current: String(data.get('current')), next: String(data.get('next')) });
        }}
      >
        <PasswordInput
          label={TEXTS.current}
          name="current"
          autoComplete="current-password"
          error={fieldError(change.error, 'current_password', TEXTS.current)}
          required
          withAsterisk={false}
        />
        <PasswordInput
          label={TEXTS.next}
          description={TEXTS.hint}
          name="next"
          autoComplete="new-password"
          error={fieldError(change.error, 'new_password', TEXTS.next)}
          required
          withAsterisk={false}
        />
        {change.error && <ErrorNotice error={change.error} fields={['current_password', 'new_password']} />}
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            {TEXTS.submit}
          </Button>
        </div>
      </form>
    </Section>
  );
}

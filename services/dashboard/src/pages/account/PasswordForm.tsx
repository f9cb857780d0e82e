import { Button, PasswordInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type Proof, SESSIONS, secondFactorQuery, setPassword } from '../../api/account.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { PASSWORD_TEXTS as TEXTS } from './texts.ts';
import { PROOF_FIELDS, useProof } from './use-proof.tsx';

export function PasswordForm() {
  const form = useRef<HTMLFormElement>(null);
  const client = useQueryClient();
  const { data: factor } = useQuery(secondFactorQuery);
  const change = useMutation({
    mutationFn: ({ proof, next }: { proof: Proof; next: string }) => setPassword(proof, next),
    onSuccess: async () => {
      form.current?.reset();
      notifications.show({ title: TEXTS.done, message: TEXTS.doneText });
      await client.invalidateQueries({ queryKey: SESSIONS });
    },
  });
  const { proof, fields, clear } = useProof(factor?.enabled ?? false, change.error, TEXTS.current);
  return (
    <Section title={TEXTS.title} note={TEXTS.note}>
      <form
        ref={form}
        className={panel.stack}
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          change.mutate({ proof, next: String(data.get('next')) }, { onSuccess: clear });
        }}
      >
        {fields}
        <PasswordInput
          label={TEXTS.next}
          description={TEXTS.hint}
          name="next"
          autoComplete="new-password"
          error={fieldError(change.error, 'new_password', TEXTS.next)}
          required
        />
        {change.error && <ErrorNotice error={change.error} fields={[...PROOF_FIELDS, 'new_password']} />}
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            {TEXTS.submit}
          </Button>
        </div>
      </form>
    </Section>
  );
}

import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { resetPassword } from '../../api/account.ts';
import { StrangerForm } from '../login/StrangerForm.tsx';
import { StrangerPage } from '../login/StrangerPage.tsx';
import { REGISTER_TEXTS, MAIL_TEXTS as TEXTS } from '../login/texts.ts';
import { linkToken } from './link-token.ts';

export function ResetPasswordPage() {
  const [token] = useState(linkToken);
  const reset = useMutation({ mutationFn: (next: string) => resetPassword(token ?? '', next) });
  return (
    <StrangerPage title={TEXTS.resetTitle}>
      <StrangerForm
        told={token === null ? TEXTS.noToken : reset.isSuccess ? TEXTS.resetDone : null}
        field="next"
        submit={TEXTS.resetSubmit}
        asked={reset}
      >
        <PasswordInput
          label={TEXTS.newPassword}
          description={REGISTER_TEXTS.passwordHint}
          name="next"
          autoComplete="new-password"
          required
          autoFocus
          withAsterisk={false}
        />
      </StrangerForm>
    </StrangerPage>
  );
}

import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { resetPassword } from '../../api/account.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import { linkToken } from './link-token.ts';
import { SignedOutForm } from './SignedOutForm.tsx';
import { SignedOutPage } from './SignedOutPage.tsx';
import { REGISTER_TEXTS, MAIL_TEXTS as TEXTS } from './texts.ts';

export function ResetPasswordPage() {
  const [token] = useState(linkToken);
  const reset = useMutation({ mutationFn: (next: string) => resetPassword(token ?? '', next) });
  return (
    <SignedOutPage title={TEXTS.resetTitle}>
      <SignedOutForm
        told={token === null ? TEXTS.noToken : reset.isSuccess ? TEXTS.resetDone : null}
        field="next"
        submit={TEXTS.resetSubmit}
        asked={reset}
        shows="new_password"
      >
        <PasswordInput
          label={TEXTS.newPassword}
          description={REGISTER_TEXTS.passwordHint}
          name="next"
          error={fieldError(reset.error, 'new_password', TEXTS.newPassword)}
          autoComplete="new-password"
          required
          autoFocus
        />
      </SignedOutForm>
    </SignedOutPage>
  );
}

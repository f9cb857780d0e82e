import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import { linkToken } from './link-token.ts';
import { SignedOutForm } from './SignedOutForm.tsx';
import { SignedOutPage } from './SignedOutPage.tsx';
import { REGISTER_TEXTS, MAIL_TEXTS as TEXTS } from './texts.ts';

export function ResetPasswordPage() {
  const [token] = useState(linkToken);
  const reset = useAction((next: string) =>
    call('POST /auth/users/reset_password_confirm/', {
      body: { token: token ?? '', new_password: next },
    }),
  );
  return (
    <SignedOutPage title="Set a new password">
      <SignedOutForm
        told={
          token === null
            ? TEXTS.noToken
            : reset.isSuccess
              ? 'Your new password is set. All sessions were logged out.'
              : null
        }
        field="next"
        submit="Set password"
        asked={reset}
        shows="new_password"
      >
        <PasswordInput
          label="New password"
          description={REGISTER_TEXTS.passwordHint}
          name="next"
          error={fieldError(reset.error, 'new_password', 'New password')}
          autoComplete="new-password"
          required
          autoFocus
        />
      </SignedOutForm>
    </SignedOutPage>
  );
}

import { TextInput } from '@mantine/core';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import { SignedOutForm } from './SignedOutForm.tsx';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { LOGIN_TEXTS } from './texts.ts';

export function ForgotPasswordPage() {
  const asking = useAction((email: string) =>
    call('POST /auth/users/reset_password/', { body: { email: email.trim() } }),
  );
  return (
    <SignedOutPage title="Forgot your password">
      <SignedOutForm
        told={
          asking.isSuccess
            ? 'Check your inbox. If this address has an account, a reset link is on its way.'
            : null
        }
        field="email"
        submit="Send reset link"
        asked={asking}
        shows="email"
      >
        <p className={classes.intro}>Enter your email for a reset link, valid for one hour.</p>
        <TextInput
          label={LOGIN_TEXTS.email}
          name="email"
          error={fieldError(asking.error, 'email', LOGIN_TEXTS.email)}
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
      </SignedOutForm>
    </SignedOutPage>
  );
}

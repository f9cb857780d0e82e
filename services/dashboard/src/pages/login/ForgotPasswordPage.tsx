import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { askForReset } from '../../api/account.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import { SignedOutForm } from './SignedOutForm.tsx';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { LOGIN_TEXTS, MAIL_TEXTS as TEXTS } from './texts.ts';

export function ForgotPasswordPage() {
  const asking = useMutation({ mutationFn: (email: string) => askForReset(email.trim()) });
  return (
    <SignedOutPage title={TEXTS.forgotTitle}>
      <SignedOutForm
        told={asking.isSuccess ? TEXTS.forgotSent : null}
        field="email"
        submit={TEXTS.forgotSubmit}
        asked={asking}
        shows="email"
      >
        <p className={classes.intro}>{TEXTS.forgotIntro}</p>
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

import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { askForReset } from '../../api/account.ts';
import { StrangerForm } from '../login/StrangerForm.tsx';
import classes from '../login/StrangerPage.module.css';
import { StrangerPage } from '../login/StrangerPage.tsx';
import { LOGIN_TEXTS, MAIL_TEXTS as TEXTS } from '../login/texts.ts';

export function ForgotPasswordPage() {
  const asking = useMutation({ mutationFn: (email: string) => askForReset(email.trim()) });
  return (
    <StrangerPage title={TEXTS.forgotTitle}>
      <StrangerForm
        told={asking.isSuccess ? TEXTS.forgotSent : null}
        field="email"
        submit={TEXTS.forgotSubmit}
        asked={asking}
      >
        <p className={classes.intro}>{TEXTS.forgotIntro}</p>
        <TextInput
          label={LOGIN_TEXTS.email}
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          withAsterisk={false}
        />
      </StrangerForm>
    </StrangerPage>
  );
}

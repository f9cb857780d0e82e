import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { activate } from '../../api/account.ts';
import { session } from '../../api/session.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import { linkToken } from './link-token.ts';
import { SignedOutForm } from './SignedOutForm.tsx';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { LOGIN_TEXTS, MAIL_TEXTS as TEXTS } from './texts.ts';

export function ActivatePage() {
  const [token] = useState(linkToken);
  const navigate = useNavigate();
  const activation = useMutation({
    mutationFn: async (password: string) => {
      const { user } = await activate(token ?? '', password);
      await session.logIn(user.email, password);
    },
    onSuccess: () => navigate({ to: '/' }),
  });
  return (
    <SignedOutPage title={TEXTS.activateTitle}>
      <SignedOutForm
        told={token === null ? TEXTS.noToken : null}
        field="password"
        submit={TEXTS.activateSubmit}
        asked={activation}
        shows="password"
      >
        <p className={classes.intro}>{TEXTS.activateIntro}</p>
        <PasswordInput
          label={LOGIN_TEXTS.password}
          name="password"
          error={fieldError(activation.error, 'password', LOGIN_TEXTS.password)}
          autoComplete="current-password"
          required
          autoFocus
        />
      </SignedOutForm>
    </SignedOutPage>
  );
}

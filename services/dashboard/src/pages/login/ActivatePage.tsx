import { PasswordInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { session } from '../../api/session.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import { linkToken } from './link-token.ts';
import { SignedOutForm } from './SignedOutForm.tsx';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { LOGIN_TEXTS, MAIL_TEXTS as TEXTS } from './texts.ts';

export function ActivatePage() {
  const [token] = useState(linkToken);
  const navigate = useNavigate();
  const activation = useAction(
    async (password: string) => {
      const { user } = await call('POST /auth/users/activation/', { body: { token: token ?? '', password } });
      await session.logIn(user.email, password);
    },
    { then: () => navigate({ to: '/' }) },
  );
  return (
    <SignedOutPage title="Confirm your address">
      <SignedOutForm
        told={token === null ? TEXTS.noToken : null}
        field="password"
        submit="Confirm and log in"
        asked={activation}
        shows="password"
      >
        <p className={classes.intro}>Enter the password you chose when you registered.</p>
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

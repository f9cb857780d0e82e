import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { resetPassword } from '../../api/account.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import classes from '../login/StrangerPage.module.css';
import { StrangerPage } from '../login/StrangerPage.tsx';
import { REGISTER_TEXTS, MAIL_TEXTS as TEXTS } from '../login/texts.ts';
import { linkToken } from './link-token.ts';

export function ResetPasswordPage() {
  const [token] = useState(linkToken);
  const reset = useMutation({ mutationFn: (next: string) => resetPassword(token ?? '', next) });
  return (
    <StrangerPage title={TEXTS.resetTitle}>
      {token === null ? (
        <p className={classes.told}>{TEXTS.noToken}</p>
      ) : reset.isSuccess ? (
        <p className={classes.told} role="status">
          {TEXTS.resetDone}
        </p>
      ) : (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            reset.mutate(String(new FormData(event.currentTarget).get('next')));
          }}
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
          {reset.error && <ErrorNotice error={reset.error} />}
          <Button type="submit" loading={reset.isPending}>
            {TEXTS.resetSubmit}
          </Button>
        </form>
      )}
      <p className={classes.other}>
        <Link to="/login">{TEXTS.toLogin}</Link>
      </p>
    </StrangerPage>
  );
}

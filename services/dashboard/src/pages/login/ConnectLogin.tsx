import { Button, PasswordInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { session } from '../../api/session.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { CodeField, useAsksForCode } from './CodeField.tsx';
import classes from './SignedOutPage.module.css';
import { LOGIN_TEXTS as TEXTS } from './texts.ts';

/** For an address that has a login with a password, which has to confirm once that it is the same person. */
export function ConnectLogin({ email }: { email: string }) {
  const navigate = useNavigate();
  const connecting = useAction(
    (form: FormData) =>
      session.connectSignOn(String(form.get('password')), String(form.get('otp') ?? '').trim()),
    { then: () => navigate({ to: '/', replace: true }) },
  );
  const { asksForCode, isFirstAsk } = useAsksForCode(connecting.error);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        connecting.mutate(new FormData(event.currentTarget));
      }}
    >
      <p className={classes.intro}>
        {email} has a login with a password. Enter the password once to connect it. After that, single sign-on
        is enough.
      </p>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label={TEXTS.password}
        name="password"
        autoComplete="current-password"
        required
        autoFocus
      />
      {asksForCode && <CodeField />}
      {connecting.error && !isFirstAsk && <ErrorNotice error={connecting.error} />}
      <Button type="submit" loading={connecting.isPending}>
        Connect and log in
      </Button>
    </form>
  );
}

import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { authSettingsQuery } from '../../api/account.ts';
import { session } from '../../api/session.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { CodeField, useAsksForCode } from './CodeField.tsx';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { LOGIN_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/login');

export function LoginPage() {
  const { next, ended } = route.useSearch();
  const navigate = useNavigate();
  const settings = useQuery(authSettingsQuery);
  const login = useAction(
    (form: FormData) =>
      session.logIn(
        String(form.get('email')).trim(),
        String(form.get('password')),
        String(form.get('otp') ?? '').trim(),
      ),
    { then: () => navigate({ href: next ?? '/' }) },
  );
  const { asksForCode, isFirstAsk } = useAsksForCode(login.error);
  return (
    <SignedOutPage title="Log in">
      {ended && <p className={classes.told}>Your session has ended. Log in to continue where you were.</p>}
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          login.mutate(new FormData(event.currentTarget));
        }}
      >
        <TextInput label={TEXTS.email} name="email" type="email" autoComplete="username" required autoFocus />
        <PasswordInput label={TEXTS.password} name="password" autoComplete="current-password" required />
        {asksForCode && <CodeField />}
        {login.error && !isFirstAsk && <ErrorNotice error={login.error} />}
        <Button type="submit" loading={login.isPending}>
          Log in
        </Button>
      </form>
      <p className={classes.other}>
        <Link to="/sso">{TEXTS.signOn}</Link>
      </p>
      {settings.data?.mail && (
        <p className={classes.other}>
          <Link to="/forgot-password">Forgot your password?</Link>
        </p>
      )}
      <p className={classes.other}>
        {settings.data?.signup === 'closed' ? (
          'Registration is closed here. Ask the operator for an account.'
        ) : (
          <>
            No account yet? <Link to="/register">Register</Link>
          </>
        )}
      </p>
      <p className={classes.other}>
        <Link to="/docs">Read the docs</Link>
      </p>
    </SignedOutPage>
  );
}

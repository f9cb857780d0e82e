import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { authSettingsQuery } from '../../api/account.ts';
import { ApiError } from '../../api/api-error.ts';
import { session } from '../../api/session.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { LOGIN_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/login');

export function LoginPage() {
  const { next, ended } = route.useSearch();
  const navigate = useNavigate();
  const settings = useQuery(authSettingsQuery);
  const login = useMutation({
    mutationFn: ({ email, password, otp }: { email: string; password: string; otp: string }) =>
      session.logIn(email, password, otp),
    onSuccess: () => navigate({ href: next ?? '/' }),
  });
  const code = login.error instanceof ApiError ? login.error.code : '';
  // Once asked for, the field stays: a wrong code is followed by another one.
  const [asksForCode, setAsksForCode] = useState(false);
  useEffect(() => {
    if (code.startsWith('second_factor')) setAsksForCode(true);
  }, [code]);
  return (
    <SignedOutPage title={TEXTS.title}>
      {ended && <p className={classes.told}>{TEXTS.ended}</p>}
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          login.mutate({
            email: String(form.get('email')).trim(),
            password: String(form.get('password')),
            otp: String(form.get('otp') ?? '').trim(),
          });
        }}
      >
        <TextInput label={TEXTS.email} name="email" type="email" autoComplete="username" required autoFocus />
        <PasswordInput label={TEXTS.password} name="password" autoComplete="current-password" required />
        {asksForCode && (
          <TextInput
            label={TEXTS.code}
            description={TEXTS.codeHint}
            name="otp"
            autoComplete="one-time-code"
            required
            autoFocus
          />
        )}
        {login.error && code !== 'second_factor_required' && <ErrorNotice error={login.error} />}
        <Button type="submit" loading={login.isPending}>
          {TEXTS.submit}
        </Button>
      </form>
      {settings.data?.mail && (
        <p className={classes.other}>
          <Link to="/forgot-password">{TEXTS.forgotten}</Link>
        </p>
      )}
      <p className={classes.other}>
        {settings.data?.signup === 'closed' ? (
          TEXTS.closed
        ) : (
          <>
            {TEXTS.noAccount} <Link to="/register">{TEXTS.toRegister}</Link>
          </>
        )}
      </p>
      <p className={classes.other}>
        <Link to="/docs">{TEXTS.docs}</Link>
      </p>
    </SignedOutPage>
  );
}

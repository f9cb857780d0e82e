import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { authSettingsQuery } from '../../api/account.ts';
import { session } from '../../api/session.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import classes from './StrangerPage.module.css';
import { StrangerPage } from './StrangerPage.tsx';
import { LOGIN_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/login');

export function LoginPage() {
  const { next, ended } = route.useSearch();
  const navigate = useNavigate();
  const settings = useQuery(authSettingsQuery);
  const login = useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) => session.logIn(email, password),
    onSuccess: () => navigate({ href: next ?? '/' }),
  });
  return (
    <StrangerPage title={TEXTS.title}>
      {ended && <p className={classes.told}>{TEXTS.ended}</p>}
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          login.mutate({ email: String(form.get('email')).trim(), password: String(form.get('password')) });
        }}
      >
        <TextInput
          label={TEXTS.email}
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          withAsterisk={false}
        />
        <PasswordInput
          label={TEXTS.password}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        {login.error && <ErrorNotice error={login.error} />}
        <Button type="submit" loading={login.isPending}>
          {TEXTS.submit}
        </Button>
      </form>
      <p className={classes.other}>
        {settings.data?.signup === 'closed' ? (
          TEXTS.closed
        ) : (
          <>
            {TEXTS.noAccount} <Link to="/register">{TEXTS.toRegister}</Link>
          </>
        )}
      </p>
    </StrangerPage>
  );
}

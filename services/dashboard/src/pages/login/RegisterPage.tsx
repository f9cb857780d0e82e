import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { authSettingsQuery, register } from '../../api/account.ts';
import { session } from '../../api/session.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { MAIL_TEXTS, REGISTER_TEXTS as TEXTS } from './texts.ts';

export function RegisterPage() {
  const navigate = useNavigate();
  const settings = useQuery(authSettingsQuery);
  const registration = useMutation({
    mutationFn: async ({ email, password, name }: { email: string; password: string; name: string }) => {
      const answer = await register({ email, password, ...(name ? { name } : {}) });
      if ('mail' in answer) return 'mailed';
      await session.logIn(email, password);
      return 'in';
    },
    onSuccess: (outcome) => (outcome === 'in' ? navigate({ to: '/' }) : undefined),
  });
  const closed = settings.data?.signup === 'closed';
  return (
    <SignedOutPage title={TEXTS.title}>
      {closed ? (
        <p className={classes.told}>{TEXTS.closed}</p>
      ) : registration.data === 'mailed' ? (
        <p className={classes.told} role="status">
          {MAIL_TEXTS.registered}
        </p>
      ) : (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            const form = new FormData(event.currentTarget);
            const [email = '', password = '', name = ''] = ['email', 'password', 'name'].map((field) =>
              String(form.get(field)),
            );
            registration.mutate({ email: email.trim(), password, name: name.trim() });
          }}
        >
          <p className={classes.intro}>{TEXTS.intro}</p>
          <TextInput label={TEXTS.name} name="name" autoComplete="name" maxLength={100} autoFocus />
          <TextInput
            label={TEXTS.email}
            name="email"
            type="email"
            autoComplete="username"
            error={fieldError(registration.error, 'email', TEXTS.email)}
            required
          />
          <PasswordInput
            label={TEXTS.password}
            description={TEXTS.passwordHint}
            name="password"
            autoComplete="new-password"
            error={fieldError(registration.error, 'password', TEXTS.password)}
            required
          />
          {registration.error && <ErrorNotice error={registration.error} fields={['email', 'password']} />}
          <Button type="submit" loading={registration.isPending}>
            {TEXTS.submit}
          </Button>
        </form>
      )}
      <p className={classes.other}>
        {TEXTS.haveAccount} <Link to="/login">{TEXTS.toLogin}</Link>
      </p>
    </SignedOutPage>
  );
}

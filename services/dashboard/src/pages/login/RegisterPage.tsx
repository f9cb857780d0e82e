import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { authSettingsQuery } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import { session } from '../../api/session.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { REGISTER_TEXTS as TEXTS } from './texts.ts';

export function RegisterPage() {
  const navigate = useNavigate();
  const settings = useQuery(authSettingsQuery);
  const registration = useAction(
    async (form: FormData) => {
      const [email = '', password = '', name = ''] = ['email', 'password', 'name'].map((field) =>
        String(form.get(field)),
      );
      const body = { email: email.trim(), password, ...(name.trim() && { name: name.trim() }) };
      if ('mail' in (await call('POST /auth/users/', { body }))) return 'mailed';
      await session.logIn(body.email, password);
      return 'in';
    },
    { then: (outcome) => (outcome === 'in' ? navigate({ to: '/' }) : undefined) },
  );
  const closed = settings.data?.signup === 'closed';
  return (
    <SignedOutPage title="Register">
      {closed ? (
        <p className={classes.told}>Registration is closed here. Ask the operator for an account.</p>
      ) : registration.data === 'mailed' ? (
        <p className={classes.told} role="status">
          Check your inbox. Open the link within 24 hours and enter your password to finish. If you already
          have an account, the mail says so.
        </p>
      ) : (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            registration.mutate(new FormData(event.currentTarget));
          }}
        >
          <p className={classes.intro}>Free: 1,000 checks a month, no card.</p>
          <TextInput label="Name (optional)" name="name" autoComplete="name" maxLength={100} autoFocus />
          <TextInput
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            error={fieldError(registration.error, 'email', 'Email')}
            required
          />
          <PasswordInput
            label="Password"
            description={TEXTS.passwordHint}
            name="password"
            autoComplete="new-password"
            error={fieldError(registration.error, 'password', 'Password')}
            required
          />
          {registration.error && <ErrorNotice error={registration.error} fields={['email', 'password']} />}
          <Button type="submit" loading={registration.isPending}>
            Register
          </Button>
        </form>
      )}
      <p className={classes.other}>
        Already have an account? <Link to="/login">Log in</Link>
      </p>
    </SignedOutPage>
  );
}

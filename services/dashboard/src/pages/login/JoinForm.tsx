import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { session } from '../../api/session.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import classes from './SignedOutPage.module.css';
import { LOGIN_TEXTS, REGISTER_TEXTS as TEXTS } from './texts.ts';

/** For an invited address that has no login yet. */
export function JoinForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const joining = useAction(
    async (form: FormData) => {
      const [password = '', name = ''] = ['password', 'name'].map((field) => String(form.get(field)));
      await call('POST /auth/invitations/accept/', {
        body: { token, password, ...(name.trim() && { name: name.trim() }) },
      });
      await session.logIn(email, password);
    },
    { then: () => navigate({ to: '/' }) },
  );
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        joining.mutate(new FormData(event.currentTarget));
      }}
    >
      <TextInput label="Name (optional)" name="name" autoComplete="name" maxLength={100} autoFocus />
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <PasswordInput
        label={LOGIN_TEXTS.password}
        description={TEXTS.passwordHint}
        name="password"
        autoComplete="new-password"
        error={fieldError(joining.error, 'password', LOGIN_TEXTS.password)}
        required
      />
      {joining.error && <ErrorNotice error={joining.error} fields={['password']} />}
      <Button type="submit" loading={joining.isPending}>
        Join and log in
      </Button>
    </form>
  );
}

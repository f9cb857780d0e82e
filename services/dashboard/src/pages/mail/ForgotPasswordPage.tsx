import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { askForReset } from '../../api/account.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import classes from '../login/StrangerPage.module.css';
import { StrangerPage } from '../login/StrangerPage.tsx';
import { LOGIN_TEXTS, MAIL_TEXTS as TEXTS } from '../login/texts.ts';

export function ForgotPasswordPage() {
  const asking = useMutation({ mutationFn: askForReset });
  return (
    <StrangerPage title={TEXTS.forgotTitle}>
      {asking.isSuccess ? (
        <p className={classes.told} role="status">
          {TEXTS.forgotSent}
        </p>
      ) : (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            asking.mutate(String(new FormData(event.currentTarget).get('email')).trim());
          }}
        >
          <p className={classes.intro}>{TEXTS.forgotIntro}</p>
          <TextInput
            label={LOGIN_TEXTS.email}
            name="email"
            type="email"
            autoComplete="username"
            required
            autoFocus
            withAsterisk={false}
          />
          {asking.error && <ErrorNotice error={asking.error} />}
          <Button type="submit" loading={asking.isPending}>
            {TEXTS.forgotSubmit}
          </Button>
        </form>
      )}
      <p className={classes.other}>
        <Link to="/login">{TEXTS.toLogin}</Link>
      </p>
    </StrangerPage>
  );
}

import { TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { fieldError } from '../../ui/error/field-error.ts';
import { OperatorSignOn } from './OperatorSignOn.tsx';
import { SignedOutForm } from './SignedOutForm.tsx';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { SignOnAnswer } from './SignOnAnswer.tsx';
import { LOGIN_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/sso');

/** Sends people to the identity provider of their company, which sends them back here with its answer. */
export function SignOnPage() {
  const { query } = route.useLoaderData();
  const starting = useAction((email: string) =>
    call('POST /auth/sso/start/', { body: { email: email.trim() } }).then(({ url }) =>
      window.location.assign(url),
    ),
  );
  return (
    <SignedOutPage title={TEXTS.signOn}>
      {query === '' ? (
        <>
          <SignedOutForm
            told={starting.isSuccess ? 'Opening your identity provider…' : null}
            field="email"
            submit="Continue"
            asked={starting}
            shows="email"
          >
            <p className={classes.intro}>
              Enter your work email. You log in at your company’s identity provider.
            </p>
            <TextInput
              label={TEXTS.email}
              name="email"
              error={fieldError(starting.error, 'email', TEXTS.email)}
              type="email"
              autoComplete="username"
              required
              autoFocus
            />
          </SignedOutForm>
          <OperatorSignOn />
        </>
      ) : (
        <SignOnAnswer query={query} />
      )}
    </SignedOutPage>
  );
}

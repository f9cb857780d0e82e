import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { session } from '../../api/session.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { ConnectLogin } from './ConnectLogin.tsx';
import classes from './SignedOutPage.module.css';

/** Logs in with the answer of the identity provider. */
export function SignOnAnswer({ query }: { query: string }) {
  const navigate = useNavigate();
  const { mutate, data, error } = useAction((answer: string) => session.signOn(answer), {
    then: (email) => (email === null ? navigate({ to: '/', replace: true }) : undefined),
  });
  useEffect(() => mutate(query), [query, mutate]);
  if (typeof data === 'string') return <ConnectLogin email={data} />;
  return (
    <>
      {error ? (
        <ErrorNotice error={error} />
      ) : (
        <p className={classes.told} role="status">
          Logging you in…
        </p>
      )}
      <p className={classes.other}>
        <a href="/sso">Log in again</a>
      </p>
    </>
  );
}

import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { linkToken } from './link-token.ts';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { MAIL_TEXTS as TEXTS } from './texts.ts';

export function ConfirmAddressPage() {
  const [token] = useState(linkToken);
  const { mutate, isSuccess, error } = useAction((given: string) =>
    call('POST /auth/users/confirmation/', { body: { token: given } }),
  );
  useEffect(() => {
    if (token !== null) mutate(token);
  }, [token, mutate]);
  return (
    <SignedOutPage title="Confirm your address">
      {token === null ? (
        <p className={classes.told}>{TEXTS.noToken}</p>
      ) : error ? (
        <ErrorNotice error={error} />
      ) : (
        <p className={classes.told} role="status">
          {isSuccess ? 'Your address is confirmed.' : 'Confirming your address…'}
        </p>
      )}
      <p className={classes.other}>
        <Link to="/">Go to the dashboard</Link>
      </p>
    </SignedOutPage>
  );
}

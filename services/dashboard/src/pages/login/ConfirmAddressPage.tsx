import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { confirmAddress } from '../../api/account.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { linkToken } from './link-token.ts';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { MAIL_TEXTS as TEXTS } from './texts.ts';

export function ConfirmAddressPage() {
  const [token] = useState(linkToken);
  const { mutate, isSuccess, error } = useMutation({ mutationFn: confirmAddress });
  useEffect(() => {
    if (token !== null) mutate(token);
  }, [token, mutate]);
  return (
    <SignedOutPage title={TEXTS.confirmTitle}>
      {token === null ? (
        <p className={classes.told}>{TEXTS.noToken}</p>
      ) : error ? (
        <ErrorNotice error={error} />
      ) : (
        <p className={classes.told} role="status">
          {isSuccess ? TEXTS.confirmed : TEXTS.confirming}
        </p>
      )}
      <p className={classes.other}>
        <Link to="/">{TEXTS.toDashboard}</Link>
      </p>
    </SignedOutPage>
  );
}
